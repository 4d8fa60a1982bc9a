import { z } from 'zod'
import { systemContext } from '#app/http/context.ts'
import type { PageHandle } from '#app/http/page-handle.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { address } from '#app/ui/text/address.ts'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Problem } from '#server/domain/problem.ts'
import { formatDay } from '#server/domain/time.ts'
import {
  type PublishedNotice,
  ReadPublishedNotice,
  readPublishedNotice,
} from '#server/features/care/read-published-notice.ts'
import type { Route } from './+types/privacy-page'
import css from './privacy-page.module.css'

export const handle: PageHandle = { isShared: true }

export const meta: Route.MetaFunction = () => [{ title: 'Aviso de privacidad · Rúbrica' }]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const found = await orErrorPage(read())
  const { office, notice, isCurrent } = found
  return {
    ...{ officeName: office.name, isCurrent, path: pathOf(office.id) },
    ...{ short: notice.short, full: notice.full, sha256: notice.sha256 as string },
    about: aboutOf(found),
    versions: found.versions.map(({ number, sha256, at }) => ({
      ...{ number, isShown: sha256 === notice.sha256 },
      to: address(pathOf(office.id), { text: sha256 }),
      since: formatDay(at, office.timeZone),
    })),
  }

  async function read(): Promise<PublishedNotice> {
    const text = url.searchParams.get('text') ?? undefined
    const asked = ReadPublishedNotice.safeParse({ officeId: params.office, text })
    if (!asked.success) throw new Problem('not-found', z.prettifyError(asked.error))
    return await readPublishedNotice(context.get(systemContext), asked.data)
  }
}

const pathOf = (officeId: string) => `/privacy/${officeId}`

function aboutOf({ office, isCurrent, version }: PublishedNotice): string {
  if (!version) return isCurrent ? 'Texto vigente.' : 'Texto anterior, que ya no se muestra.'
  const since = formatDay(version.at, office.timeZone)
  return isCurrent
    ? `Versión ${version.number}, vigente desde el ${since}.`
    : `Versión ${version.number}, publicada el ${since}. Ya no es la vigente.`
}

export default function PublishedPrivacyNotice({ loaderData }: Route.ComponentProps) {
  const { officeName, about, isCurrent, path, short, full, sha256, versions } = loaderData
  return (
    <div className={css.column}>
      <PageHead
        title="Aviso de privacidad"
        lead={
          <>
            {officeName} · {about}{' '}
            {!isCurrent && <PageLink to={path}>Leer el aviso vigente</PageLink>}
          </>
        }
      />
      {short.length > 0 && (
        <Sheet title="Aviso simplificado">
          <Paragraphs paragraphs={short} />
        </Sheet>
      )}
      {full.map(({ title, paragraphs }) => (
        <Sheet key={title} title={title}>
          <Paragraphs paragraphs={paragraphs} />
        </Sheet>
      ))}
      {versions.length > 0 && (
        <Sheet title="Versiones">
          <ol className={css.versions} reversed>
            {versions.map(({ number, isShown, to, since }) => (
              <li key={number}>
                {isShown ? (
                  `Versión ${number}, del ${since} (es la que está leyendo)`
                ) : (
                  <PageLink to={to}>
                    Versión {number}, del {since}
                  </PageLink>
                )}
              </li>
            ))}
          </ol>
        </Sheet>
      )}
      <p className={css.quiet}>
        SHA-256 de este texto: <Hash value={sha256} />
      </p>
    </div>
  )
}

const Paragraphs = ({ paragraphs }: { paragraphs: readonly string[] }) => (
  <div className={css.text}>
    {paragraphs.map((paragraph) => (
      <p key={paragraph}>{paragraph}</p>
    ))}
  </div>
)
