import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { DocumentView } from './document-view.ts'

/** Whether the public sees the pages, and who has consented; a notary changes it here. */
export function PublicPicturesSheet({
  document: { id, pictures },
  canChange,
}: {
  document: Pick<DocumentView, 'id' | 'pictures'>
  canChange: boolean
}) {
  if (!pictures) return null
  const { state, by, missing, isShown, canBeOn } = pictures
  return (
    <Sheet title="Páginas en la consulta pública">
      <p>
        {isShown &&
          'Se muestran: quien verifica el documento puede comparar sus páginas con el papel. '}
        {!isShown && 'No se muestran. '}
        {by}
      </p>
      {missing.length > 0 && (
        <p>
          Falta el consentimiento de {new Intl.ListFormat('es-MX').format(missing)}. Cada firmante
          lo da en su página del documento.
        </p>
      )}
      {isShown && <PageLink to={`/verify/${id}/pages`}>Ver las páginas como el público</PageLink>}
      {canChange && (state === 'on' || canBeOn) && (
        <PostForm action={`/dashboard/documents/${id}/public-pictures`} className={form.form}>
          <input type="hidden" name="state" value={state === 'on' ? 'off' : 'on'} />
          <SubmitButton variant="default">
            {state === 'on' ? 'Dejar de mostrar las páginas' : 'Mostrar las páginas'}
          </SubmitButton>
        </PostForm>
      )}
    </Sheet>
  )
}
