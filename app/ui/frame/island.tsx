import { useNonce } from './nonce.ts'

/** Loads the script of a page that does not hydrate; the script finds its elements by `data-island`. */
export function Island({ src }: { src: string }) {
  return <script type="module" src={src} nonce={useNonce()} />
}
