import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { Icon } from '#app/ui/text/icon.tsx'
import { sizeText } from '#app/ui/text/size-text.ts'
import type { DocumentKind } from '#server/domain/documents/document.ts'
import { documentKinds } from '#server/words/documents.ts'
import { type ChosenFile, isUnsendable } from './chosen-file.ts'
import css from './chosen-file-list.module.css'

type Props = {
  chosen: readonly ChosenFile[]
  /** Whether each has a title and a kind of its own; a single one has those of the form. */
  isOwn: boolean
  onRemove: (key: number) => void
  onChange: (key: number, part: Partial<Pick<ChosenFile, 'title' | 'kind' | 'isGuessed'>>) => void
}

/** The files that were chosen, with their sizes; each of several has a title and a kind of its own. */
export function ChosenFileList({ chosen, isOwn, onRemove, onChange }: Props) {
  return (
    <ul className={css.list} aria-label="Archivos elegidos">
      {chosen.map((one) => (
        <li key={one.key}>
          <div className={css.head}>
            <Icon name="document" size={20} />
            <span className={css.name}>
              {one.file.name} <span className={css.size}>{sizeText(one.file.size)}</span>
            </span>
            <Button
              type="button"
              variant="default"
              size="compact-sm"
              aria-label={`Quitar ${one.file.name}`}
              onClick={() => onRemove(one.key)}
            >
              Quitar
            </Button>
          </div>
          {isOwn && one.fault && one.fault.about !== 'title' && (
            <p className={css.fault}>{one.fault.sentence}</p>
          )}
          {isOwn && !isUnsendable(one) && <OwnFields one={one} onChange={onChange} />}
        </li>
      ))}
    </ul>
  )
}

const KINDS = Object.entries(documentKinds).map(([value, label]) => ({ value, label }))

function OwnFields({ one, onChange }: { one: ChosenFile } & Pick<Props, 'onChange'>) {
  const { key, file, title, kind, isGuessed, fault } = one
  return (
    <div className={css.fields}>
      <TextInput
        id={`title-${key}`}
        label="Título"
        aria-label={`Título de ${file.name}`}
        value={title}
        onChange={({ currentTarget }) => onChange(key, { title: currentTarget.value })}
        error={fault?.about === 'title' ? fault.sentence : undefined}
      />
      <NativeSelect
        id={`kind-${key}`}
        label="Tipo de documento"
        aria-label={`Tipo de documento de ${file.name}`}
        description={isGuessed ? GUESSED : undefined}
        data={KINDS}
        value={kind}
        onChange={({ currentTarget }) =>
          onChange(key, { kind: currentTarget.value as DocumentKind, isGuessed: false })
        }
      />
    </div>
  )
}

export const GUESSED = 'Lo sugiere el nombre del archivo; cámbielo si es otro.'
