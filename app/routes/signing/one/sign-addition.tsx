import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import type { SignView } from './sign-view.ts'

/** What the signature adds to the pages: it is signed too, so the signer sees it first. */
export function SignAddition({ view }: { view: SignView }) {
  const { sheet, stamp, isPrepared, signer, character, rfc, sha256, folio } = view
  const caption = `${signer}${character ? `, ${character}` : ''}, RFC ${rfc}`
  if (isPrepared)
    return (
      <Sheet title="Lo que se agregará">
        <p>Solo su firma ({caption}), en el lugar que la hoja de firmas tiene para usted.</p>
      </Sheet>
    )
  if (!sheet)
    return (
      <Sheet title="Lo que se agregará">
        <p>
          Solo su firma ({caption}). El documento ya trae firmas: no recibe páginas nuevas y las
          anteriores no se tocan.
        </p>
        {stamp && <p>{stamp}</p>}
      </Sheet>
    )
  return (
    <Sheet title="Se agregará esta hoja de firmas">
      <FactList>
        <Fact name="Notaría">{sheet.office}</Fact>
        <Fact name="Folio">{folio}</Fact>
        <Fact name="Código de verificación">
          {sheet.publicAddress?.code ?? 'Ninguno: la consulta pública está apagada'}
        </Fact>
        <Fact name="Dirección y código QR">{sheet.publicAddress?.url}</Fact>
        <Fact name="SHA-256 del original">
          <Hash value={sha256} />
        </Fact>
        <Fact name="Firma">{caption}</Fact>
      </FactList>
    </Sheet>
  )
}
