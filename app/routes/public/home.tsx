import type { PageHandle } from '#app/http/page-handle.ts'
import { labels } from '#app/messages/labels.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Guilloche } from '#app/ui/frame/guilloche.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import css from './home.module.css'

export const meta = () => [
  { title: 'Rúbrica · Firma digital para notarías de México' },
  {
    name: 'description',
    content: 'Firme documentos notariales con e.firma y compruebe los que haya recibido.',
  },
]

const FACTS: readonly { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'sign',
    title: 'Se firma con e.firma',
    text: 'La clave privada se usa en el equipo de quien firma y no sale de él. Solo si su navegador no puede abrirla ahí, y la notaría lo permite, el servidor la usa para esa firma sin guardarla.',
  },
  {
    icon: 'shield',
    title: 'Cualquiera lo comprueba',
    text: 'Con el código del papel o con el archivo mismo, sin cuenta y sin costo.',
  },
  {
    icon: 'audit',
    title: 'Queda constancia',
    text: 'Cada firma, y cada vez que alguien de la notaría abre o descarga un documento, se anota en una bitácora a la que el sistema solo puede agregar.',
  },
]

export const handle: PageHandle = { isShared: true }

export default function Home() {
  return (
    <>
      <div className={css.ground}>
        <Guilloche />
      </div>
      <div className={css.head}>
        <div className={css.words}>
          <h1>Firma digital para la notaría, comprobable por cualquiera</h1>
          <p>
            Rúbrica guarda los documentos de la notaría, los firma con la e.firma de cada quien y
            permite verificar, años después, quién firmó, cuándo y qué.
          </p>
          <div>
            <ButtonLink to="/login" size="md" variant="default">
              {labels.signIn}
            </ButtonLink>
          </div>
        </div>
        <section className={css.check} aria-labelledby="verificar">
          <h2 id="verificar">¿Recibió un documento firmado?</h2>
          <form method="get" action="/verify/document" className={css.form}>
            <TextField
              name="code"
              label="Código de verificación"
              help="Está junto al código QR, en la hoja de firmas."
              autoComplete="off"
              spellCheck={false}
              required
              size="md"
            />
            <SubmitButton size="md">Verificar</SubmitButton>
          </form>
          <p className={css.other}>
            ¿Tiene el archivo? <a href="/verify/document">Verifique el PDF</a>.
          </p>
        </section>
      </div>
      <ul className={css.facts}>
        {FACTS.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon name={icon} size={26} />
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
