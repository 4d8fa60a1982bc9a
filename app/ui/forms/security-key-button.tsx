import island from '#app/islands/security-key.ts?worker&url'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Island } from '#app/ui/frame/island.tsx'
import css from './security-key-button.module.css'
import { SubmitButton } from './submit-button.tsx'

type Props = {
  purpose: 'register' | 'authenticate'
  /**
   * The call that returns the options for the key, and its body; by default the usual call without a body.
   */
  begin?: { path: string; body: unknown }
  label?: string
}

const BEGIN = {
  register: '/api/v1/auth/webauthn/register/begin',
  authenticate: '/api/v1/auth/webauthn/authenticate/begin',
}

/**
 * The submit button of a form that a security key completes: the key's response is sent as the field
 * `response`, in JSON. Without scripts a sentence replaces it.
 */
export function SecurityKeyButton({ purpose, begin, label = 'Usar llave de seguridad' }: Props) {
  return (
    <div
      data-island="security-key"
      data-purpose={purpose}
      data-begin={begin?.path ?? BEGIN[purpose]}
      data-body={begin && JSON.stringify(begin.body)}
    >
      <noscript>
        <Notice tone="note" isLive={false}>
          Su navegador está configurado de modo que esta página no puede usar llaves de seguridad.
          Elija otra forma de verificación.
        </Notice>
      </noscript>
      <div data-part="ready" className={css.ready} hidden>
        <input type="hidden" name="response" data-part="answer" />
        <div data-part="problem" hidden>
          <Notice tone="bad">
            <span data-part="sentence" />
          </Notice>
        </div>
        <SubmitButton size="md" fullWidth>
          {label}
        </SubmitButton>
        <p data-part="waiting" className={css.waiting} role="status" hidden>
          Conecte su llave y tóquela cuando parpadee.
        </p>
      </div>
      <Island src={island} />
    </div>
  )
}
