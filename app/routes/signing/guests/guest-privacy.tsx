import { actorContext, systemContext } from '#app/http/context.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { readPrivacyNotice } from '#server/features/guests/read-privacy-notice.ts'
import type { Route } from './+types/guest-privacy'
import css from './guest.module.css'

export const meta: Route.MetaFunction = () => [{ title: 'Aviso de privacidad · Rúbrica' }]

export const headers = noStore

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { full, sha256 } = await orErrorPage(readPrivacyNotice(system, actor))
  return { full, sha256: sha256 as string }
}

export default function GuestPrivacy({ loaderData }: Route.ComponentProps) {
  return (
    <div className={css.column}>
      <PageHead
        title="Aviso de privacidad"
        lead={<PageLink to="/sign/documents">Volver</PageLink>}
      />
      {loaderData.full.map(({ title, paragraphs }) => (
        <Sheet key={title} title={title}>
          <div className={css.notice}>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </Sheet>
      ))}
      <p className={css.quiet}>
        Versión de este texto (SHA-256): <Hash value={loaderData.sha256} />
      </p>
    </div>
  )
}
