import { useNonce } from './nonce.ts'

/**
 * What a page must do before anything else in it runs: a page of somebody who is signed in is never shown
 * again from the browser's memory, and the answer to a resumed form stands under the address of its page.
 *
 * @param reader who reads it
 * @param resumedPath null where the address is right
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
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own lines, and a path as a JSON text
      dangerouslySetInnerHTML={{ __html: lines.join(';') }}
    />
  )
}

const RELOAD_WHEN_REMEMBERED = `addEventListener('pageshow',e=>{if(e.persisted)location.reload()})`

const quoted = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c')
