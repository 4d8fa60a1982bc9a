import { Form } from 'react-router'
import { Badge } from '#app/ui/badge.tsx'
import { CsrfField } from '#app/ui/csrf-field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { Time } from '#app/ui/time.tsx'
import css from './own.module.css'

export type ShownSession = {
  id: string
  device: string
  ip: string
  place: 'here' | 'elsewhere'
  lastSeenAt: number
  began: string
  seen: string
}

/** Where the account is open, and how to close it there. */
export function OwnSessions({ sessions }: { sessions: readonly ShownSession[] }) {
  const others = sessions.filter(({ place }) => place === 'elsewhere')
  return (
    <Sheet title="Mis sesiones">
      <ul className={css.list}>
        {sessions.map((session) => (
          <li key={session.id}>
            <Icon name="device" size={24} />
            <div>
              <strong>{session.device}</strong>{' '}
              {session.place === 'here' && <Badge tone="good">Esta sesión</Badge>}
              <p>
                {session.ip} · inició el {session.began}
              </p>
              <p>
                Última actividad: <Time at={session.lastSeenAt}>{session.seen}</Time>
              </p>
            </div>
            {session.place === 'elsewhere' && (
              <Form method="post">
                <CsrfField />
                <input type="hidden" name="sessionId" value={session.id} />
                <SubmitButton variant="default">Cerrar esta sesión</SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Form method="post" action="/dashboard/profile/other-sessions">
          <CsrfField />
          <SubmitButton variant="default" leftSection={<Icon name="leave" />}>
            Cerrar las demás sesiones
          </SubmitButton>
        </Form>
      )}
    </Sheet>
  )
}
