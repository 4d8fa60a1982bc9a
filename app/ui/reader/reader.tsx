import { type CSSProperties, type ReactNode, useEffect } from 'react'
import islandUrl from '#app/islands/turn-pages.ts?worker&url'
import { useHydrates } from '#app/ui/frame/hydrates.ts'
import { Island } from '#app/ui/frame/island.tsx'
import { PageFigure } from './page-figure.tsx'
import css from './reader.module.css'
import { ReaderToolbar, Turning } from './reader-toolbar.tsx'
import type { ReaderView } from './reader-view.ts'
import { Thumbnails } from './thumbnails.tsx'

/** What is moved sideways must be reached with the keyboard. */
const ENLARGED = { tabIndex: 0, role: 'group', 'aria-label': 'Páginas ampliadas' }

type Props = {
  view: ReaderView
  /** What to do after reading: a link at the foot of a phone. */
  foot?: ReactNode
}

/** The pages of a document, a few at a time. All of it works without scripts; the island adds keys and counts pages. */
export function Reader({ view, foot }: Props) {
  const hydrates = useHydrates()
  useEffect(() => {
    void import('#app/islands/turn-pages.ts')
  }, [])
  const { pages, shown, state } = view
  if (pages === 0) return <p>Este documento no tiene páginas que mostrar.</p>
  const last = state.page + shown.length - 1
  return (
    <section id="lector" aria-label="Páginas" className={css.reader} data-island="turn-pages">
      <ReaderToolbar view={view} />
      <div
        className={css.pages}
        style={{ '--zoom': state.zoom / 100 } as CSSProperties}
        {...(state.zoom > 100 && ENLARGED)}
      >
        {shown.map((page, index) => (
          <PageFigure key={page.page} view={view} page={page} isFirst={index === 0} />
        ))}
      </div>
      {pages > shown.length && (
        <nav className={css.toolbar} aria-label="Páginas del documento">
          <Turning view={view} />
        </nav>
      )}
      <Thumbnails view={view} />
      <nav className={css.foot} aria-label="Lector">
        <span data-part="counter" data-pages={pages}>
          {last === state.page
            ? `Página ${state.page} de ${pages}`
            : `Páginas ${state.page} a ${last} de ${pages}`}
        </span>
        {foot}
      </nav>
      {!hydrates && <Island src={islandUrl} />}
    </section>
  )
}
