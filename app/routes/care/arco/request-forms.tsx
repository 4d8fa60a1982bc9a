import type { FormErrors } from '#app/http/forms.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextAreaField } from '#app/ui/forms/text-area-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { arcoOutcomes, identityWays } from '#server/words/care/arco.ts'
import { ARCO_PATH as PATH } from './arco-path.ts'
import type { ArcoView } from './arco-view.ts'

type Sent = { errors: FormErrors | undefined; values: Record<string, string> }

const Intent = ({ value }: { value: string }) => <input type="hidden" name="intent" value={value} />

const choicesOf = (words: Readonly<Record<string, string>>) => [
  { value: '', label: 'Elija' },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
]

export function IdentityForm({ errors, values, view }: Sent & { view: ArcoView }) {
  return (
    <Sheet title="Acreditar la identidad">
      <PostForm className={form.form} noValidate>
        <Intent value="identify" />
        <FormRefusal errors={errors?.form} />
        <p>
          Anote qué se le mostró. No guarde copia de la identificación: no hace falta para
          responder.
        </p>
        <SelectField
          name="how"
          label="Cómo la acreditó"
          data={choicesOf(identityWays)}
          defaultValue={values.how ?? ''}
          errors={errors?.how}
          required
        />
        <TextField
          name="on"
          type="date"
          label="Qué día"
          defaultValue={values.on ?? view.today}
          errors={errors?.on}
          required
        />
        <TextField
          name="note"
          label="Nota"
          help="Qué documento fue, sin su número. Puede quedar vacío."
          defaultValue={values.note ?? ''}
          errors={errors?.note}
        />
        <SubmitButton>Anotar</SubmitButton>
      </PostForm>
    </Sheet>
  )
}

export function AnswerForm({ errors, values, view }: Sent & { view: ArcoView }) {
  return (
    <Sheet title="Responder">
      <PostForm className={form.form} noValidate>
        <Intent value="answer" />
        <FormRefusal errors={errors?.form} />
        {!view.isProven && (
          <p>Sin la identidad acreditada, solo puede responderse que no procede.</p>
        )}
        <SelectField
          name="outcome"
          label="Qué se responde"
          data={choicesOf(arcoOutcomes)}
          defaultValue={values.outcome ?? ''}
          errors={errors?.outcome}
          required
        />
        <TextAreaField
          name="text"
          label="Respuesta"
          help="Lo que se le dice a la persona. Rúbrica no la envía: entréguela usted."
          rows={6}
          defaultValue={values.text ?? ''}
          errors={errors?.text}
          required
        />
        <TextAreaField
          name="legal"
          label="Fundamento"
          help="Si no procede, o solo en parte: por qué, y qué ley lo dice."
          defaultValue={values.legal ?? ''}
          errors={errors?.legal}
        />
        <SubmitButton>Registrar respuesta</SubmitButton>
      </PostForm>
    </Sheet>
  )
}

export function EffectForm({ errors, values }: Sent) {
  return (
    <Sheet title="Hacerla efectiva">
      <PostForm className={form.form} noValidate>
        <Intent value="effect" />
        <FormRefusal errors={errors?.form} />
        <TextAreaField
          name="done"
          label="Qué se hizo"
          help="Por ejemplo: se le entregó el archivo, se corrigió su correo en el catálogo de partes."
          defaultValue={values.done ?? ''}
          errors={errors?.done}
          required
        />
        <SubmitButton>Cerrar solicitud</SubmitButton>
      </PostForm>
    </Sheet>
  )
}

export function ExtendForm({ errors, values }: Sent) {
  return (
    <Sheet title="Ampliar el plazo">
      <PostForm className={form.form} noValidate>
        <Intent value="extend" />
        <FormRefusal errors={errors?.form} />
        <p>Una sola vez, por los mismos días. Avise a la persona.</p>
        <TextField
          name="reason"
          label="Motivo de la ampliación"
          defaultValue={values.reason ?? ''}
          errors={errors?.reason}
          required
        />
        <SubmitButton variant="default">Ampliar plazo</SubmitButton>
      </PostForm>
    </Sheet>
  )
}

const STATES = {
  waiting: 'Se están reuniendo. Vuelva a abrir esta página en unos minutos.',
  ready: '',
  failed: 'No se pudieron reunir. Pídalos otra vez; si se repite, avise a quien opera el servidor.',
  expired: 'El archivo venció y se borró. Puede pedirlo otra vez.',
} as const

type PackageProps = Sent & { view: ArcoView; canAnswer: boolean }

/** What is held about the person, as a file. */
export function PackageSheet({ errors, view, canAnswer }: PackageProps) {
  const made = view.package
  return (
    <Sheet title="Sus datos">
      <PostForm className={form.form}>
        <Intent value="gather" />
        <FormRefusal errors={errors?.form} />
        <p>
          Un ZIP con lo que la notaría tiene de esta persona, buscado por su RFC: catálogo de
          partes, folios en que se le pidió firmar, firmas, consentimientos, correos y bitácora. Sin
          documentos, testamentos ni datos de otros. Revíselo antes de entregarlo.
        </p>
        {made?.file && (
          <p>
            {canAnswer ? (
              <PageLink to={`${PATH}/${view.id}/data.zip`} reloadDocument>
                Descargar {made.file.name}
              </PageLink>
            ) : (
              made.file.name
            )}
            . Espera hasta el {made.file.until}.
          </p>
        )}
        {made && STATES[made.state] && <p role="status">{STATES[made.state]}</p>}
        {canAnswer && made?.state !== 'waiting' && (
          <SubmitButton variant="default">
            {made ? 'Reunir sus datos otra vez' : 'Reunir sus datos'}
          </SubmitButton>
        )}
      </PostForm>
    </Sheet>
  )
}
