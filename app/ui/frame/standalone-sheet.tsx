import type { ReactNode } from 'react'
import { labels } from '#app/messages/labels.ts'
import { FlashNotice } from '#app/ui/feedback/flash-notice.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { DemoBand } from './demo-band.tsx'
import { Guilloche } from './guilloche.tsx'
import { Seal } from './seal.tsx'
import { SignOut } from './sign-out.tsx'
import css from './standalone-sheet.module.css'

type Props = {
  title: string
  children: ReactNode
  /** Under the sheet: the ways out of it. */
  ways?: ReactNode
  /** Whether whoever reads it has a session, and may end it here. */
  isSignedIn?: boolean
}

/** One centred sheet on paper: a page with one thing to do. */
export function StandaloneSheet({ title, children, ways, isSignedIn = false }: Props) {
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
        <div className={css.links}>
          {ways ?? <PageLink to="/verify/document">{labels.verifyDocument}</PageLink>}
          {isSignedIn && <SignOut />}
        </div>
      </main>
      <footer className={css.footer}>{labels.footer}</footer>
    </div>
  )
}
