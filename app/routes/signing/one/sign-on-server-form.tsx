import type { FormErrors } from '#app/http/forms.ts'
import { linkTo } from '#app/ui/reader/reader-view.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { OnServerForm } from './on-server-form.tsx'
import type { SignView } from './sign-view.ts'

type Props = { view: SignView; errors?: FormErrors | undefined }

/** Signs one document, in the version on the screen. */
export function SignOnServerForm({ view, errors }: Props) {
  const page = errors?.unread?.[0]
  return (
    <OnServerForm
      serverSigning={view.serverSigning}
      action={`${view.address}/without-scripts`}
      consent="esta firma"
      button="Firmar documento"
      errors={errors}
      wayOn={page && <ReadOn view={view} page={page} />}
    >
      <input type="hidden" name="version" value={view.version} />
      <input type="hidden" name="unread" value="ask" />
    </OnServerForm>
  )
}

function ReadOn({ view, page }: { view: SignView; page: string }) {
  return (
    <PageLink to={linkTo(view.reader.state, { page: Number(page) })} data-turns>
      Seguir leyendo en la página {page}
    </PageLink>
  )
}
