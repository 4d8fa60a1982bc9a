import { useRouteLoaderData } from 'react-router'
import islandUrl from '#app/islands/file-lookup.ts?worker&url'
import { Island } from '#app/ui/frame/island.tsx'
import css from './file-lookup.module.css'

/** Below a file field: with scripts, shows at once whether the file is registered. */
export function FileLookup() {
  const root = useRouteLoaderData('root') as { csrf?: string } | undefined
  return (
    <div
      className={css.lookup}
      data-island="file-lookup"
      data-address="/verify/document/registered"
      data-csrf={root?.csrf}
      hidden
    >
      <progress data-part="progress" aria-label="Cálculo de la huella" max={1} value={0} />
      <p aria-live="polite">
        <span data-part="sentence" />{' '}
        <a data-part="link" href="/verify/document" hidden>
          Ver el documento registrado
        </a>
      </p>
      <p data-part="hash" hidden>
        Huella digital (SHA-256): <code data-part="value" className={css.value} />
      </p>
      <Island src={islandUrl} />
    </div>
  )
}
