import { useNonce } from './nonce.ts'

/**
 * The script that runs first on a page: it reloads a signed-in page restored from the browser's cache, and
 * corrects the address of a replayed form's response.
 *
 * @param reader the kind of actor
 * @param resumedPath null if the address is right
 */
export function PageScript({
  reader,
  resumedPath,
}: {
  reader: 'person' | 'stranger'
  resumedPath: string | null
}) {
  const nonce = useNonce()
  const lines = [
    ...(reader === 'person' ? [RELOAD_WHEN_REMEMBERED] : []),
    ...(resumedPath === null ? [] : [`history.replaceState(null,'',${quoted(resumedPath)})`]),
  ]
  if (lines.length === 0) return null
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {lines.join(';')}
    </script>
  )
}

const RELOAD_WHEN_REMEMBERED = `addEventListener('pageshow',e=>{if(e.persisted)location.reload()})`

const quoted = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c')
