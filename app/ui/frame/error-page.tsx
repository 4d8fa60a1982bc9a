import { isRouteErrorResponse, useLocation } from 'react-router'
import { errors } from '#app/messages/errors.ts'
import { labels } from '#app/messages/labels.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import css from './error-page.module.css'

type Refusal = { title: string; sentence: string }

const TITLES: Record<number, string> = {
  401: 'Su sesión terminó',
  403: 'Sin permiso',
  404: 'Página no encontrada',
}

const SENTENCES: Record<number, string> = {
  401: errors.sessionExpired,
  403: errors.forbidden,
  404: errors.notFound,
  500: errors.server,
}

const HOMES = {
  '/': 'Ir a la página principal',
  '/dashboard': 'Ir al Dashboard',
  '/sign/documents': 'Ir a mis documentos',
}

/** Shows what went wrong in one sentence, and a next step. Never shows the error itself. */
export function ErrorPage({ error, home }: { error: unknown; home: keyof typeof HOMES }) {
  const { title, sentence } = refusalIn(error)
  const { pathname, search } = useLocation()
  const again = retryLabel(error)
  return (
    <div className={css.page}>
      <h1>{title}</h1>
      {/* A script that sent a form shows it beside the form. */}
      <p data-refusal role="alert">
        {sentence}
      </p>
      <div className={css.ways}>
        {again && (
          <ButtonLink to={pathname + search} reloadDocument>
            {again}
          </ButtonLink>
        )}
        <ButtonLink to={home} variant={again ? 'default' : 'filled'}>
          {HOMES[home]}
        </ButtonLink>
        {home === '/' && (
          <ButtonLink to="/verify/document" variant="default">
            {labels.verifyDocument}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

/** Returns title and sentence for an error that a route threw. */
export function refusalIn(error: unknown): Refusal {
  if (!isRouteErrorResponse(error)) {
    // Browsers report a lost connection as a TypeError; the server hides its errors.
    const isOffline = typeof window !== 'undefined' && error instanceof TypeError
    return { title: 'Algo falló', sentence: isOffline ? errors.connection : errors.server }
  }
  return {
    title: TITLES[error.status] ?? 'No fue posible atender la solicitud',
    sentence: sentenceIn(error.data) ?? SENTENCES[error.status] ?? errors.unexpected,
  }
}

/** Returns the label of the retry link if another attempt may succeed. */
function retryLabel(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error) || error.status >= 500) return 'Intentar de nuevo'
  const { data } = error
  const isStale = typeof data === 'object' && data !== null && data.code === 'cross-site'
  return isStale ? 'Recargar la página' : undefined
}

/** Our own refusals carry their sentence (app/http/problems.ts). */
function sentenceIn(data: unknown): string | undefined {
  const isOurs = typeof data === 'object' && data !== null && 'sentence' in data
  return isOurs ? String(data.sentence) : undefined
}
