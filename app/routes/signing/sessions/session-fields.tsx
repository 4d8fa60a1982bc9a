import type { FormErrors } from '#app/http/forms.ts'
import { TextAreaField } from '#app/ui/forms/text-area-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'

type Props = { values: Record<string, string>; errors: FormErrors | undefined }

/** The session's title, message to the signers, and deadline. */
export function SessionFields({ values, errors }: Props) {
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <>
      <TextField {...field('title')} label="Título" required maxLength={200} />
      <TextAreaField
        {...field('message')}
        label="Mensaje para los firmantes (opcional)"
        maxLength={2000}
      />
      <TextField
        {...field('deadline')}
        type="date"
        label="Fecha límite (opcional)"
        help="Se puede firmar hasta el final de ese día."
      />
    </>
  )
}
