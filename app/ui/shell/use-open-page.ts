import { useEffect } from 'react'
import { useLocation, useMatches, useNavigate, useNavigation } from 'react-router'
import { setOpenPage } from '#app/client/failed-loads.ts'

/** Lends the page that is open to whoever hears that the next one could not be loaded. */
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
        // To where one is, with nothing loaded anew: that ends the navigation that is under way.
        void navigate(pathname + search + hash, {
          replace: true,
          state,
          preventScrollReset: true,
          defaultShouldRevalidate: false,
        })
      },
    })
    return () => setOpenPage(undefined)
  })
}
