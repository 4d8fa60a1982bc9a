import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import { useHydrated } from 'remix-utils/use-hydrated'
import { useShouldHydrate } from 'remix-utils/use-should-hydrate'
import type { Toast } from '#app/client/state.ts'
import islandUrl from '#app/islands/flash-hides.ts?worker&url'
import { errors } from '#app/messages/errors.ts'
import { SESSION_EXPIRED_DURATION_MS } from '#app/messages/notices.ts'
import { Island } from '#app/ui/frame/island.tsx'
import css from './flash-notice.module.css'
import { Notice } from './notice.tsx'
import { TOAST_TONES } from './tone.ts'

type Flash = Pick<Toast, 'type' | 'message' | 'undo'>

/**
 * The message of the last action, as an alert. On hydrated pages `Toasts` shows it instead if scripts run.
 *
 * @param offer draws the form that undoes the action; public pages have none
 */
export function FlashNotice({ offer }: { offer?: (undo: string) => ReactNode }) {
  const flash = useFlash()
  const willHydrate = useShouldHydrate()
  const isHydrated = useHydrated()
  if (!flash || (willHydrate && isHydrated)) return null
  const notice = (
    <Notice tone={TOAST_TONES[flash.type]}>
      {flash.message}
      {flash.undo !== undefined && offer?.(flash.undo)}
    </Notice>
  )
  if (willHydrate) return <div className={css.withoutScripts}>{notice}</div>
  if (flash.message !== errors.sessionExpired) return notice
  return (
    <div data-island="flash-hides" data-duration={SESSION_EXPIRED_DURATION_MS}>
      {notice}
      <Island src={islandUrl} />
    </div>
  )
}

export function useFlash(): Flash | null {
  const root = useRouteLoaderData('root') as { flash?: Flash | null } | undefined
  return root?.flash ?? null
}
