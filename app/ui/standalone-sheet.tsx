import type { ReactNode } from 'react'
import { labels } from '#app/messages.ts'
import { DemoBand } from './demo-band.tsx'
import { FlashNotice } from './flash-notice.tsx'
import { Guilloche } from './guilloche.tsx'
import { PageLink } from './page-link.tsx'
import { Seal } from './seal.tsx'
import css from './standalone-sheet.module.css'

/** One centred sheet on paper: a page with one thing to do. */
export function StandaloneSheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={css.page}>
      <DemoBand />
      <div className={css.ground}>
        <Guilloche />
      </div>
      <main id="contenido" className={css.column}>
        <PageLink to="/" className={css.mark}>
          <Seal size={64} />
          {labels.product}
        </PageLink>
        <div className={css.sheet}>
          <h1>{title}</h1>
          <FlashNotice />
          {children}
        </div>
        <p className={css.links}>
          <PageLink to="/verify/document">{labels.verifyDocument}</PageLink>
        </p>
      </main>
      <footer className={css.footer}>{labels.footer}</footer>
    </div>
  )
}
