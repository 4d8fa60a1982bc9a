import { useNonce } from './nonce.ts'

/**
 * What `npm run dev` adds to a page: the nonce that Vite's client puts on its styles, and, where React does not
 * run, the script that reloads the page when a source changes. No build contains it.
 */
export function DevelopmentHead({ isHydrated }: { isHydrated: boolean }) {
  const nonce = useNonce()
  return (
    <>
      <meta property="csp-nonce" nonce={nonce} />
      {!isHydrated && <script type="module" src="/server/dev/reload-page.ts" nonce={nonce} />}
    </>
  )
}
