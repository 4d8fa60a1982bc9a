import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './signer-link.module.css'
import type { SignerLinkView } from './signer-link-view.ts'

type Props = {
  view: SignerLinkView
  /** Whether this page shows the link itself. */
  isShown: boolean
  /** Whether the user asked for another link while one works. */
  isAsked: boolean
}

/** Makes the first link at once; ends a working one only after the page said what that means. */
export function LinkActions({ view, isShown, isAsked }: Props) {
  const { live, canRenew } = view
  const page = `/dashboard/signing/${view.sessionId}/links/${view.signerId}`
  if (live && canRenew && isAsked) return <Replacing view={view} isShown={isShown} page={page} />
  return (
    <div className={css.ways}>
      {canRenew && !live && (
        <PostForm action={page}>
          <input type="hidden" name="replaces" value="" />
          <SubmitButton name="intent" value="renew">
            Crear enlace y mostrarlo
          </SubmitButton>
        </PostForm>
      )}
      {canRenew && live && (
        <ButtonLink to={`${page}?replace=yes`} variant="default">
          Crear otro enlace
        </ButtonLink>
      )}
      {live && (
        <PostForm action={page}>
          <SubmitButton name="intent" value="revoke" color="bad" variant="light">
            Retirar el enlace
          </SubmitButton>
        </PostForm>
      )}
    </div>
  )
}

function Replacing({ view, isShown, page }: Omit<Props, 'isAsked'> & { page: string }) {
  return (
    <section className={css.lines} aria-labelledby="replacing">
      <h3 id="replacing">¿Crear otro enlace para {view.name}?</h3>
      <p>{meaningOf(view, isShown)}</p>
      <div className={css.ways}>
        <PostForm action={page}>
          <input type="hidden" name="replaces" value={view.live?.id} />
          <SubmitButton name="intent" value="renew">
            Sí, crear otro enlace
          </SubmitButton>
        </PostForm>
        <PageLink to={page}>No, dejar el que tiene</PageLink>
      </div>
    </section>
  )
}

function meaningOf({ live, opened }: SignerLinkView, isShown: boolean): string {
  if (live?.isOpened)
    return `El enlace está abierto en un navegador desde el ${opened}. Quien firma ahí pierde el acceso en cuanto usted cree otro, y vuelve a aceptar el aviso de privacidad con el nuevo.`
  return isShown
    ? 'El enlace que se muestra arriba deja de servir en cuanto usted cree otro, aunque ya lo haya impreso o enviado.'
    : 'El enlace anterior deja de servir en cuanto usted cree otro, aunque la persona lo tenga en su correo o impreso.'
}
