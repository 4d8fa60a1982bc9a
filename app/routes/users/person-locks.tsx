import { Badge } from '#app/ui/feedback/badge.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import css from './person.module.css'
import { PersonActionForm } from './person-action-form.tsx'
import type { PersonView } from './person-view.ts'

type Props = { view: PersonView; access: NonNullable<PersonView['access']> }

/** The locks of the account after failed attempts, and the button that lifts them; nothing without locks. */
export function PersonLocks({ view, access: { locks } }: Props) {
  if (locks.length === 0) return null
  return (
    <div id="bloqueo">
      <Sheet title="Bloqueo temporal" aside={<Badge tone="wait">Por intentos fallidos</Badge>}>
        <ItemList>
          {locks.map(({ sentence, until }) => (
            <Item key={sentence} icon="clock" name={`Termina el ${until}`}>
              <p>{sentence}</p>
            </Item>
          ))}
        </ItemList>
        <p className={css.quiet}>
          Los equipos donde ya había entrado no esperan, salvo los que aparezcan aquí. Quite el
          bloqueo si se equivocó la propia persona. Si fue alguien más, déjelo: al quitarlo también
          tendría intentos nuevos.
        </p>
        {view.canManage && (
          <PersonActionForm id={view.id} intent="lift-lock" className={css.buttons}>
            <SubmitButton variant="default">Quitar bloqueo</SubmitButton>
          </PersonActionForm>
        )}
      </Sheet>
    </div>
  )
}
