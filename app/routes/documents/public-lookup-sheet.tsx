import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import type { DocumentView } from './document-view.ts'
import { PublicAddress } from './public-address.tsx'

const SENTENCES = {
  on: 'Encendida: quien tenga el código, la dirección o el archivo puede verificarlo.',
  off: 'Apagada: fuera de la notaría nadie lo encuentra, ni con el código ni con el archivo. En la notaría se verifica con la sesión iniciada.',
} as const

/** Whether the public finds the document; a notary changes it here. */
export function PublicLookupSheet({
  document,
  canChange,
}: {
  document: Pick<DocumentView, 'id' | 'state' | 'publicLookup'>
  canChange: boolean
}) {
  const { state, by, address } = document.publicLookup
  return (
    <Sheet title="Consulta pública">
      <p>
        {SENTENCES[state]} {by}
      </p>
      {address && <PublicAddress address={address} />}
      {state === 'on' && !address && (
        <p>{NOT_YET[document.state === 'draft' ? 'draft' : 'ended']}</p>
      )}
      {canChange && (
        <PostForm
          action={`/dashboard/documents/${document.id}/public-lookup`}
          className={form.form}
        >
          {document.state !== 'draft' && <p>{SHEETS[state]}</p>}
          <input type="hidden" name="state" value={state === 'on' ? 'off' : 'on'} />
          <SubmitButton variant="default">
            {state === 'on' ? 'Apagar la consulta pública' : 'Encender la consulta pública'}
          </SubmitButton>
        </PostForm>
      )}
    </Sheet>
  )
}

/** Why the public does not find a document although it may. */
const NOT_YET = {
  draft:
    'Todavía no se encuentra: es un borrador. Cuando se envíe a firma, aquí aparecerán su dirección y su código QR.',
  ended: 'No se encuentra, porque nunca se envió a firma.',
} as const

/** What a change does not reach: sheets that exist already. */
const SHEETS = {
  on: 'Las hojas ya impresas conservan su código, pero dejará de encontrarse.',
  off: 'La hoja de firmas que se hizo mientras estaba apagada no lleva código ni QR.',
} as const
