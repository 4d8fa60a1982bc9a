import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { ItemList } from '#app/ui/lists/item-list.tsx'
import { SessionItem, type ShownSession } from '#app/ui/lists/session-item.tsx'
import { Icon } from '#app/ui/text/icon.tsx'

/** The user's sessions, each with a button to end it. */
export function OwnSessions({ sessions }: { sessions: readonly ShownSession[] }) {
  const others = sessions.filter(({ place }) => place === 'elsewhere')
  return (
    <Sheet title="Mis sesiones">
      <ItemList>
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            action={session.place === 'elsewhere' && <EndSession id={session.id} />}
          />
        ))}
      </ItemList>
      {others.length > 0 && (
        <PostForm action="/dashboard/profile/other-sessions">
          <SubmitButton variant="default" leftSection={<Icon name="leave" />}>
            Cerrar las demás sesiones
          </SubmitButton>
        </PostForm>
      )}
    </Sheet>
  )
}

function EndSession({ id }: { id: string }) {
  return (
    <PostForm>
      <input type="hidden" name="sessionId" value={id} />
      <SubmitButton variant="default">Cerrar esta sesión</SubmitButton>
    </PostForm>
  )
}
