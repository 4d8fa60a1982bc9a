import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useMatches, useNavigation, useRouteLoaderData } from 'react-router'
import { useHydrated } from 'remix-utils/use-hydrated'
import { watchSession } from '#app/client/session.ts'
import { setTheme, toggleSidebar } from '#app/client/state.ts'
import type { PageHandle } from '#app/http/page-handle.ts'
import { labels } from '#app/messages/labels.ts'
import { FlashNotice } from '#app/ui/feedback/flash-notice.tsx'
import { DemoBand } from '#app/ui/frame/demo-band.tsx'
import { Seal } from '#app/ui/frame/seal.tsx'
import { SkipLink } from '#app/ui/frame/skip-link.tsx'
import { Spinner } from '#app/ui/frame/spinner.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { AlertBell } from './alert-bell.tsx'
import { AvatarMenu } from './avatar-menu.tsx'
import { Jump } from './jump.tsx'
import css from './shell.module.css'
import { ShellMenu } from './shell-menu.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Toasts } from './toasts.tsx'
import { UndoForm } from './undo-form.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useClientState, useSidebarOpen } from './use-client-state.ts'
import { useClosingDetails } from './use-closing-details.ts'
import { useFirstFault } from './use-first-fault.ts'
import { useOpenPage } from './use-open-page.ts'

export type ShellPerson = {
  firstName: string
  lastName: string
  initials: string
  /** Number of unread alerts. */
  unreadAlerts: number
  /** The office, of a person with accounts in several. */
  office: string | null
}

/** The frame of every dashboard page; works without scripts. */
export function Shell({ person, children }: { person: ShellPerson; children: ReactNode }) {
  const main = useTopOfNewPages()
  const sidebarOpen = useSidebarOpen()
  useKeptTheme()
  useOpenPage()
  useFirstFault()
  useEffect(watchSession, [])
  return (
    <div className={css.shell} data-sidebar={sidebarOpen ? 'open' : 'narrow'}>
      <SkipLink />
      <header className={css.bar}>
        <Drawer />
        <PageLink to="/dashboard" className={css.mark}>
          <Seal size={32} />
          {labels.product}
        </PageLink>
        <p className={css.label}>{usePageLabel()}</p>
        <p className={css.person}>
          Notario: {person.firstName} {person.lastName}
        </p>
        <Jump />
        <AlertBell unread={person.unreadAlerts} />
        <AvatarMenu initials={person.initials} office={person.office} />
      </header>
      <div className={css.side}>
        <ShellMenu />
        <SidebarToggle />
      </div>
      <div className={css.page}>
        <DemoBand />
        <Pending />
        <main id="contenido" tabIndex={-1} ref={main} className={css.main}>
          <FlashNotice offer={(undo) => <UndoForm undo={undo} />} />
          {children}
        </main>
      </div>
      <Toasts />
      <Shortcuts />
      <UnsavedGuard />
    </div>
  )
}

/** The menu of small screens. */
function Drawer() {
  const ref = useClosingDetails()
  return (
    <details ref={ref} className={css.drawer}>
      <summary aria-label="Menú">
        <Icon name="menu" size={24} />
      </summary>
      <div className={css.panel}>
        <PageLink to="/dashboard/search" className={css.find}>
          <Icon name="search" size={20} />
          Buscar
        </PageLink>
        <ShellMenu />
      </div>
    </details>
  )
}

/** Collapses the side menu to its icons and expands it. Hidden without scripts. */
function SidebarToggle() {
  const sidebarOpen = useSidebarOpen()
  if (!useHydrated()) return null
  return (
    <button
      type="button"
      className={css.toggle}
      aria-expanded={sidebarOpen}
      onClick={toggleSidebar}
    >
      <Icon name="left" size={20} />
      <span>{sidebarOpen ? 'Contraer menú' : 'Ampliar menú'}</span>
    </button>
  )
}

function Pending() {
  const isNavigating = useNavigation().state === 'loading'
  const { globalLoading, loadingMessage } = useClientState()
  return (
    <div role="status" className={css.pending}>
      {(isNavigating || globalLoading) && (
        <span>
          <Spinner /> {loadingMessage ?? 'Cargando…'}
        </span>
      )}
    </div>
  )
}

/** Takes over the stored theme that the server has read. */
function useKeptTheme() {
  const root = useRouteLoaderData('root') as { theme?: 'light' | 'dark' | 'system' } | undefined
  const theme = root?.theme ?? 'system'
  useEffect(() => setTheme(theme), [theme])
}

function usePageLabel(): string {
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined)
  return handles.findLast((handle) => handle?.label)?.label ?? 'Dashboard'
}

/** Moves scroll and focus to the top of each new page; a new query is the same page. */
function useTopOfNewPages() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
