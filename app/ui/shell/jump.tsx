import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { isHydratedPath } from '#app/hydrated-paths.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import bell from './alert-bell.module.css'
import css from './jump.module.css'
import { isPlainKey, useKey } from './use-key.ts'

const PAGE = '/dashboard/search'

/**
 * The link to the search of the office. With scripts it opens a dialog over the page, and so do the keys / and Ctrl+K; the
 * dialog is loaded when it is first wanted.
 */
export function Jump() {
  const { dialog, open } = useDialog()
  const navigate = useNavigate()
  const openPage = (to: string) => {
    if (isHydratedPath(to)) void navigate(to)
    else location.assign(to)
  }
  useKey(isSearchKey, open)
  return (
    <>
      <PageLink
        to={PAGE}
        className={`${bell.bell} ${css.link}`}
        title="Buscar (Ctrl+K)"
        aria-keyshortcuts="/ Control+K"
        onClick={(event) => {
          // These open another tab or window.
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          open()
        }}
      >
        <Icon name="search" size={22} />
        <span className="visually-hidden">Buscar en la notaría</span>
      </PageLink>
      {dialog && <dialog.JumpDialog icon={<Icon name="search" size={20} />} openPage={openPage} />}
    </>
  )
}

type Dialog = typeof import('./jump-dialog.tsx')

function useDialog(): { dialog: Dialog | undefined; open: () => void } {
  const [dialog, setDialog] = useState<Dialog>()
  const navigate = useNavigate()
  const open = useCallback(() => {
    void loadDialog().then((loaded) => {
      setDialog(loaded)
      if (loaded) loaded.openJump()
      // The page shows the same.
      else void navigate(PAGE)
    })
  }, [navigate])
  return { dialog, open }
}

/** Undefined if the dialog, or a style sheet of it, cannot be loaded. `import().catch()` would not see the style sheet. */
async function loadDialog(): Promise<Dialog | undefined> {
  try {
    return await import('./jump-dialog.tsx')
  } catch {
    return undefined
  }
}

const isSearchKey = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey ? event.key.toLowerCase() === 'k' : isPlainKey(event, '/')
