import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import css from './sign.module.css'
import type { SignView } from './sign-view.ts'

/** The document and the signer's capacity, short enough to keep the form in view. */
export function SignSubject({ view }: { view: SignView }) {
  const { title, folio, version, pages, sha256, signer, character, rfc } = view
  return (
    <Sheet>
      <div className={css.subject}>
        <h2>{title}</h2>
        <p className={css.quiet}>
          Folio {folio} · {pages === 1 ? '1 página' : `${pages} páginas`} · versión&nbsp;{version}
        </p>
        <p className={css.digest}>
          SHA-256 <Hash value={sha256} />
        </p>
        <p>
          Firma <strong>{signer}</strong>
          {character && `, ${character}`} (RFC {rfc})
        </p>
      </div>
    </Sheet>
  )
}
