import type { FormErrors } from '#app/http/forms.ts'
import { OnServerForm } from '#app/routes/signing/one/on-server-form.tsx'
import { FORM_WITHOUT_SCRIPTS } from './batch-list.tsx'
import type { BatchPageView } from './batch-view.ts'

type Props = { view: BatchPageView; most: number; errors?: FormErrors | undefined }

/** Signs the documents selected in the list beside the form. */
export function BatchOnServerForm({ view, most, errors }: Props) {
  return (
    <OnServerForm
      id={FORM_WITHOUT_SCRIPTS}
      serverSigning={view.serverSigning}
      action={view.withoutScripts}
      note={
        view.documents.length > most &&
        `Se firman hasta ${most} documentos a la vez, los primeros de la lista; los demás quedan en ella.`
      }
      consent="firmar los documentos marcados"
      button="Firmar los marcados"
      errors={errors}
    />
  )
}
