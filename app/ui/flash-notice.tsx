import { useRouteLoaderData } from 'react-router'
import { useShouldHydrate } from 'remix-utils/use-should-hydrate'
import { Notice } from './notice.tsx'
import type { Toast } from './toast-store.ts'

const TONES = { success: 'good', warning: 'wait', error: 'bad', info: 'note' } as const

type Flash = Pick<Toast, 'type' | 'message'>

/** What the last action says, as an alert. Where scripts run, `Toasts` says it instead. */
export function FlashNotice() {
  const flash = useFlash()
  const isHydrated = useShouldHydrate()
  if (!flash) return null
  const notice = <Notice tone={TONES[flash.type]}>{flash.message}</Notice>
  return isHydrated ? <noscript>{notice}</noscript> : notice
}

export function useFlash(): Flash | null {
  const root = useRouteLoaderData('root') as { flash?: Flash | null } | undefined
  return root?.flash ?? null
}
