import { Badge } from '#app/ui/feedback/badge.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { checkNeeds, checkPhases } from '#server/words/checklists.ts'
import css from './checklist.module.css'
import type { ListView } from './checklist-view.ts'

type Item = ListView['items'][number]

/** The list of one act; each item is a form of its own. */
export function ListSheet({ list, canCheck }: { list: ListView; canCheck: boolean }) {
  const remove = canCheck && !list.isBegun && (
    <PostForm>
      <input type="hidden" name="intent" value="remove" />
      <input type="hidden" name="act" value={list.id} />
      <SubmitButton variant="subtle" color="bad" size="compact-sm">
        Quitar lista
      </SubmitButton>
    </PostForm>
  )
  return (
    <Sheet title={`${list.name} · ${list.progress}`} aside={remove}>
      {(['before', 'after'] as const).map((phase) => {
        const items = list.items.filter((item) => item.phase === phase)
        if (items.length === 0) return null
        return (
          <section key={phase} className={css.phase} aria-label={checkPhases[phase]}>
            <h3>{checkPhases[phase]}</h3>
            <ol className={css.items}>
              {items.map((item) => (
                <li
                  key={item.position}
                  className={css.item}
                  data-done={item.state === 'done' || undefined}
                >
                  <What item={item} />
                  {canCheck && <CheckForm act={list.id} item={item} />}
                </li>
              ))}
            </ol>
          </section>
        )
      })}
    </Sheet>
  )
}

function What({ item }: { item: Item }) {
  const isDone = item.state === 'done'
  return (
    <span className={css.what}>
      <Badge tone={isDone ? 'good' : 'plain'}>{isDone ? 'Hecho' : 'Pendiente'}</Badge>
      <strong>{item.text}</strong>
      {item.need === 'optional' && <span className={css.soft}>{checkNeeds.optional}</span>}
      {isDone && (
        <span className={css.soft}>
          {item.by}, <Time at={item.at}>{item.when}</Time>
          {item.note && <> · {item.note}</>}
        </span>
      )}
    </span>
  )
}

function CheckForm({ act, item }: { act: string; item: Item }) {
  const isDone = item.state === 'done'
  return (
    <PostForm key={item.state} className={css.check}>
      <input type="hidden" name="intent" value={isDone ? 'uncheck' : 'check'} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="position" value={item.position} />
      {!isDone && (
        <TextField
          id={`note-${act}-${item.position}`}
          name="note"
          label="Nota (opcional)"
          maxLength={200}
          autoComplete="off"
        />
      )}
      <SubmitButton variant={isDone ? 'subtle' : 'default'}>
        {isDone ? 'Desmarcar' : 'Marcar'}
        <span className="visually-hidden"> {item.text}</span>
      </SubmitButton>
    </PostForm>
  )
}
