import type { ReactNode } from 'react'
import { labels } from '#app/messages/labels.ts'
import { FlashNotice } from '#app/ui/feedback/flash-notice.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { DemoBand } from './demo-band.tsx'
import css from './public-frame.module.css'
import { Seal } from './seal.tsx'
import { SkipLink } from './skip-link.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

type Props = {
  children: ReactNode
  /** For an error page of a signed-in user: no link to sign in. */
  isInside?: boolean
  /** For guests: they cannot sign in, and their forms stay below /sign. */
  isGuest?: boolean
}

/** The frame of every public page. */
export function PublicFrame({ children, isInside = false, isGuest = false }: Props) {
  return (
    <div className={css.frame}>
      <SkipLink />
      <DemoBand />
      <header className={css.bar}>
        <PageLink to="/" className={css.mark}>
          <Seal size={36} />
          <span className={css.name}>{labels.product}</span>
        </PageLink>
        <nav className={css.links} aria-label="Principal">
          <PageLink to="/verify/document" className={css.verify}>
            {labels.verifyDocument}
          </PageLink>
          {!isInside && !isGuest && (
            <ButtonLink to="/login" variant="default">
              {labels.signIn}
            </ButtonLink>
          )}
        </nav>
      </header>
      <main id="contenido" tabIndex={-1} className={css.main}>
        <FlashNotice />
        {children}
      </main>
      <footer className={css.footer}>
        <p>{labels.footer}</p>
        {isGuest ? <PageLink to="/sign/privacy">Aviso de privacidad</PageLink> : <ThemeSwitch />}
      </footer>
    </div>
  )
}
