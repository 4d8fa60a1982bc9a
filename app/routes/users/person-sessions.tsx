import { Badge } from '#app/ui/badge.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { Time } from '#app/ui/time.tsx'
import css from './person.module.css'
import { PersonAct } from './person-act.tsx'
import type { PersonView } from './person-view.ts'

type Props = { view: PersonView; access: NonNullable<PersonView['access']> }

/** Where the account is open, and how to close it there. */
export function PersonSessions({ view, access: { sessions } }: Props) {
  const others = sessions.filter(({ isThis }) => !isThis)
  return (
    <Sheet title="Sesiones">
      {sessions.length === 0 && <p className={css.quiet}>No tiene ninguna sesión abierta.</p>}
      <ul className={css.list}>
        {sessions.map((session) => (
          <li key={session.id}>
            <Icon name="device" size={24} />
            <div>
              <strong>{session.device}</strong>{' '}
              {session.isThis && <Badge tone="good">Esta sesión</Badge>}
              <p>
                {session.ip} · inició el {session.began}
              </p>
              <p>
                Última actividad: <Time at={session.lastSeenAt}>{session.seen}</Time>
              </p>
            </div>
            {!session.isThis && view.canManage && (
              <PersonAct id={view.id} intent="end-session">
                <input type="hidden" name="sessionId" value={session.id} />
                <SubmitButton variant="default">Cerrar sesión</SubmitButton>
              </PersonAct>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && view.canManage && (
        <PersonAct id={view.id} intent="end-sessions">
          <SubmitButton variant="default" leftSection={<Icon name="leave" />}>
            {view.isOneself ? 'Cerrar las demás sesiones' : 'Cerrar todas las sesiones'}
          </SubmitButton>
        </PersonAct>
      )}
    </Sheet>
  )
}
