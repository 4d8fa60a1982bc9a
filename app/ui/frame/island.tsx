import { useNonce } from './nonce.ts'

/** Starts the script of a page that does not hydrate; it finds its elements by `data-island`. */
export function Island({ src }: { src: string }) {
  return <script type="module" src={src} nonce={useNonce()} />
}
