import { useNonce } from '#app/ui/frame/nonce.ts'
import css from './sign.module.css'
import { SignInPage } from './sign-in-page.tsx'
import { SignOnServerForm } from './sign-on-server-form.tsx'
import type { SignView } from './sign-view.ts'

/** With scripts the key stays in the browser; without them the other form is shown. */
export function SignOptions({ view }: { view: SignView }) {
  const nonce = useNonce()
  return (
    <>
      <div data-needs-scripts className={css.ways}>
        <SignInPage view={view} />
        {view.serverSigning === 'allowed' && (
          <p className={css.quiet}>
            ¿Su navegador no muestra el formulario?{' '}
            <a href={`${view.address}/without-scripts`}>
              Enviar la clave para firmar en el servidor
            </a>
          </p>
        )}
      </div>
      <noscript>
        {/* Only one of the two is visible; browsers of 2023 lack the media feature "scripting". */}
        <style nonce={nonce}>{'[data-needs-scripts]{display:none}'}</style>
        <SignOnServerForm view={view} />
      </noscript>
    </>
  )
}
