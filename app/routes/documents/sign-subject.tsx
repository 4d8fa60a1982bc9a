import { Fact, FactList } from '#app/ui/fact-list.tsx'
import { Hash } from '#app/ui/hash.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import type { SignView } from './sign-view.ts'

/** What is signed, as who, and what the signature will add. */
export function SignSubject({ view }: { view: SignView }) {
  const { title, folio, version, pages, sha256, signer, character, rfc, sheet } = view
  return (
    <Sheet title="Lo que se firma">
      <FactList>
        <Fact name="Documento">{title}</Fact>
        <Fact name="Folio">{folio}</Fact>
        <Fact name="Páginas">{`${pages} (versión ${version})`}</Fact>
        <Fact name="Huella digital (SHA-256)">
          <Hash value={sha256} />
        </Fact>
        <Fact name="Firma">
          {signer}
          {character && `, ${character}`}
          <br />
          RFC {rfc}
        </Fact>
        <Fact name="Se agregará">
          {sheet
            ? `Una hoja de firmas de ${sheet.office}, con el código ${sheet.verificationCode} y un código QR para verificar el documento.`
            : 'Su firma, sin páginas nuevas: el documento ya está firmado y no se altera.'}
        </Fact>
      </FactList>
    </Sheet>
  )
}
