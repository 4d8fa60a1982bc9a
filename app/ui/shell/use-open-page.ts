import { useEffect } from 'react'
import { useLocation, useMatches, useNavigate, useNavigation } from 'react-router'
import { setOpenPage } from '#app/client/failed-loads.ts'
import { hasUnreadableFile, UNREADABLE } from '#app/islands/unreadable-files.ts'

/** Registers the open page for the handler of failed loads. */
export function useOpenPage(): void {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const { formMethod } = useNavigation()
  const matches = useMatches()
  useEffect(() => {
    setOpenPage({
      address: pathname + search,
      isSending: formMethod !== undefined && formMethod !== 'GET',
      frames: Object.fromEntries(
        matches.slice(0, -1).map(({ id, loaderData }) => [id, loaderData]),
      ),
      stay() {
        // Navigating to the current address without loading cancels the pending navigation.
        void navigate(pathname + search + hash, {
          replace: true,
          state,
          preventScrollReset: true,
          defaultShouldRevalidate: false,
        })
      },
      faultOfFiles: async () => ((await hasUnreadableFile()) ? UNREADABLE : undefined),
    })
    return () => setOpenPage(undefined)
  })
}
