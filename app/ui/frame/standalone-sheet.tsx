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
  /** Links below the card. */
  links?: ReactNode
  /** Whether the reader has a session, and so can sign out here. */
  isSignedIn?: boolean
}

/** One centered card: a page with a single task. */
export function StandaloneSheet({ title, children, links, isSignedIn = false }: Props) {
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
          {links ?? <PageLink to="/verify/document">{labels.verifyDocument}</PageLink>}
          {isSignedIn && <SignOut />}
        </div>
      </main>
      <footer className={css.footer}>{labels.footer}</footer>
    </div>
  )
}
