import { Notice } from '#app/ui/feedback/notice.tsx'
import { ChoiceLink, ChoiceList } from '#app/ui/forms/choice-list.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SecurityKeyButton } from '#app/ui/forms/security-key-button.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { factorWords } from './factor-words.ts'
import css from './mfa.module.css'
import type { Method } from './proof.ts'

type Props = {
  method: Method
  /** The user's factors, strongest first, including the selected one. */
  methods: readonly Method[]
  /** Returns the page for a factor. */
  addressOf: (method: Method) => string
  /** The form's action; the page's own address by default. */
  action?: string
  /** The answer may be a page of another kind, which the browser itself must open. */
  isNative?: boolean
  /** The error of the last attempt. */
  refusal: string | undefined
  errors: Record<string, string[] | undefined> | undefined
}

/** Requests one factor, and links to the others. */
export function FactorForm({
  method,
  methods,
  addressOf,
  action,
  isNative = false,
  refusal,
  errors,
}: Props) {
  const others = methods.filter((other) => other !== method)
  return (
    <>
      <PostForm action={action} isNative={isNative} className={css.form} noValidate>
        <input type="hidden" name="method" value={method} />
        {refusal && <Notice tone="bad">{refusal}</Notice>}
        <Proof method={method} errors={errors} />
      </PostForm>
      {others.length > 0 && (
        <section className={css.others}>
          <h2>{method === 'WEBAUTHN' ? 'Sin la llave' : 'Otra forma de verificación'}</h2>
          <ChoiceList label="Otras formas de verificación">
            {others.map((other) => {
              const { icon, name, line } = factorWords[other]
              return (
                <ChoiceLink key={other} to={addressOf(other)} icon={icon} name={name} line={line} />
              )
            })}
          </ChoiceList>
        </section>
      )}
    </>
  )
}

function Proof({ method, errors }: Pick<Props, 'method' | 'errors'>) {
  switch (method) {
    case 'WEBAUTHN':
      return <SecurityKeyButton purpose="authenticate" />
    case 'TOTP':
      return (
        <>
          <TextField
            name="code"
            label="Código de verificación"
            help="Los seis dígitos que su aplicación muestra ahora."
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            size="md"
            maxLength={20}
            required
            autoFocus
            errors={errors?.code}
          />
          <Verify />
        </>
      )
    case 'BACKUP_CODE':
      return (
        <>
          <TextField
            name="code"
            label="Código de respaldo"
            help="Como XXXX-XXXX-XXXX, con guiones o sin ellos. Cada uno sirve una vez."
            autoComplete="off"
            spellCheck={false}
            size="md"
            maxLength={40}
            required
            autoFocus
            errors={errors?.code}
          />
          <Verify />
        </>
      )
    case 'PASSWORD':
      return (
        <>
          <PasswordField
            name="password"
            label="Contraseña"
            autoComplete="current-password"
            size="md"
            required
            autoFocus
            errors={errors?.password}
          />
          <Verify />
        </>
      )
  }
}

const Verify = () => (
  <SubmitButton size="md" fullWidth>
    Verificar
  </SubmitButton>
)
