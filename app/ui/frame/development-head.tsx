import { useNonce } from './nonce.ts'

/**
 * Added to pages by `npm run dev`: the nonce for the styles of Vite's client and, on pages that do not
 * hydrate, the script that reloads the page when a source changes. No build contains it.
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
