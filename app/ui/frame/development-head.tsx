import { useNonce } from './nonce.ts'

/**
 * What a page of the development server has besides: the nonce with which Vite's client adds styles, and, where
 * React replaces nothing, the script that loads the page again when a source changed. It is in no build.
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
