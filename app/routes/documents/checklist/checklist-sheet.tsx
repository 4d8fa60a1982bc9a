import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './checklist.module.css'
import type { ListView } from './checklist-view.ts'

type Props = { documentId: string; lists: readonly ListView[]; canCheck: boolean }

/** How far the lists of the document are. Renders nothing without a list if the user may not add one. */
export function ChecklistSheet({ documentId, lists, canCheck }: Props) {
  if (lists.length === 0 && !canCheck) return null
  const link = (
    <PageLink to={`/dashboard/documents/${documentId}/checklist`}>
      {lists.length === 0 ? 'Poner una lista' : canCheck ? 'Ver y marcar' : 'Ver la lista'}
    </PageLink>
  )
  return (
    <Sheet title="Lista de revisión" aside={link}>
      {lists.length === 0 ? (
        <p>Este documento no tiene lista de revisión.</p>
      ) : (
        <ul className={css.progress}>
          {lists.map(({ id, name, progress }) => (
            <li key={id}>
              {name}: {progress}
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}
