import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { ItemList } from '#app/ui/lists/item-list.tsx'
import { SessionItem } from '#app/ui/lists/session-item.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './person.module.css'
import { PersonActionForm } from './person-action-form.tsx'
import type { PersonView } from './person-view.ts'

type Props = { view: PersonView; access: NonNullable<PersonView['access']> }

/** The person's sessions, each with a button to end it. */
export function PersonSessions({ view, access: { sessions } }: Props) {
  const others = sessions.filter(({ place }) => place === 'elsewhere')
  return (
    <Sheet title="Sesiones">
      {sessions.length === 0 && <p className={css.quiet}>No tiene ninguna sesión abierta.</p>}
      <ItemList>
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            action={
              session.place === 'elsewhere' &&
              view.canManage && <EndSession personId={view.id} id={session.id} />
            }
          />
        ))}
      </ItemList>
      {others.length > 0 && view.canManage && (
        <PersonActionForm id={view.id} intent="end-sessions">
          <SubmitButton variant="default" leftSection={<Icon name="leave" />}>
            {view.isOneself ? 'Cerrar las demás sesiones' : 'Cerrar todas las sesiones'}
          </SubmitButton>
        </PersonActionForm>
      )}
    </Sheet>
  )
}

function EndSession({ personId, id }: { personId: string; id: string }) {
  return (
    <PersonActionForm id={personId} intent="end-session">
      <input type="hidden" name="sessionId" value={id} />
      <SubmitButton variant="default">Cerrar sesión</SubmitButton>
    </PersonActionForm>
  )
}
