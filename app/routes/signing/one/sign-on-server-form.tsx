import type { FormErrors } from '#app/http/forms.ts'
import { OnServerForm } from './on-server-form.tsx'
import type { SignView } from './sign-view.ts'

type Props = { view: SignView; errors?: FormErrors | undefined }

/** Signs one document, in the version on the screen. */
export function SignOnServerForm({ view, errors }: Props) {
  return (
    <OnServerForm
      serverSigning={view.serverSigning}
      action={`${view.address}/without-scripts`}
      consent="esta firma"
      button="Firmar documento"
      errors={errors}
    >
      <input type="hidden" name="version" value={view.version} />
      <input type="hidden" name="unread" value="ask" />
    </OnServerForm>
  )
}
