import type { ChangeCodes, ChangeFact } from '#server/domain/verification/codes/change-codes.ts'
import { quoted } from '#server/words/quoted.ts'
import { type SentencesOf, sentenceIn } from './words.ts'

export const CHANGES: SentencesOf<ChangeCodes> = {
  'catalog-replaced': () =>
    'Se sustituyó el catálogo del documento: podría mostrarse otro documento.',
  'encryption-changed': () => 'Se cambió el cifrado del documento.',
  'page-tree-replaced': () => 'Se sustituyeron las páginas del documento.',
  'open-action-changed': () => 'Se cambió lo que el documento hace al abrirse.',
  'document-actions-changed': () => 'Se cambió lo que el documento hace por sí mismo.',
  'layers-changed': () => 'Se cambiaron las capas que el documento muestra u oculta.',
  'names-changed': () => 'Se cambiaron los nombres, archivos adjuntos o programas del documento.',
  'permissions-changed': () => 'Se cambiaron los permisos del documento.',
  'catalog-entry-changed': ({ key }) =>
    `Se cambió la entrada ${quoted(key)} del catálogo del documento.`,
  'validation-data-added': () => 'Se agregaron datos de validación (DSS).',
  'validation-data-removed': () => 'Se quitaron datos de validación (DSS).',

  'page-content-replaced': ({ page }) => `Se cambió el contenido de la página ${page}.`,
  'page-resources-changed': ({ page }) => `Se cambiaron los recursos que usa la página ${page}.`,
  'page-actions-changed': ({ page }) => `Se cambió lo que hace la página ${page} por sí misma.`,
  'page-entry-changed': ({ page, key }) => `Se cambió la página ${page} (${quoted(key)}).`,
  'pages-added': () => 'Se agregaron páginas.',
  'pages-removed': () => 'Se quitaron páginas.',
  'pages-exchanged': () => 'Se quitaron páginas y se agregaron otras.',
  'pages-reordered': () => 'Se reordenaron las páginas.',
  'page-tree-changed': () =>
    'Se cambió cómo el archivo ordena sus páginas; son las mismas y están en el mismo orden.',
  'shared-page-data-changed': () => 'Se cambiaron datos que comparten varias páginas.',

  'annotations-removed-or-reordered': ({ page }) =>
    `Se quitaron o reordenaron anotaciones de la página ${page}.`,
  'note-added': ({ page }) => `Se agregó una nota o una marca en la página ${page}.`,
  'note-may-cover-content': ({ page }) =>
    `Se agregó una nota o una marca en la página ${page}: puede tapar o cambiar contenido firmado.`,
  'annotation-added': ({ page }) => `Se agregó una anotación en la página ${page}.`,
  'annotation-changed': ({ page }) => `Se cambió una anotación${ofPage(page)}.`,

  'form-entry-changed': ({ key }) => `Se cambió la entrada ${quoted(key)} del formulario.`,
  'fields-removed-or-reordered': () => 'Se quitaron o reordenaron campos del formulario.',
  'field-added': () => 'Se agregó un campo al formulario.',
  'field-changed': ({ field }) => `Se cambió el campo ${quoted(field)} del formulario.`,
  'field-filled': ({ field, value }) =>
    `Se llenó el campo ${quoted(field)}: ${value ? quoted(value) : 'vacío'}.`,
  'field-not-fillable': ({ field }) => `Se cambió el campo ${quoted(field)}, que no se llena.`,
  'locked-field-filled': ({ field }) => `Se llenó el campo ${quoted(field)}, que la firma bloquea.`,
  'field-look-changed': ({ field }) =>
    `Se cambió cómo se ve el campo ${quoted(field)} sin que cambiara su valor.`,
  'field-look-shared': ({ field }) =>
    `El aspecto del campo ${quoted(field)} se usa también en otra parte del documento.`,
  'field-shows-other-value': ({ field }) =>
    `El campo ${quoted(field)} muestra algo distinto de su valor.`,
  'field-writes-over-content': ({ field, page }) =>
    `El campo ${quoted(field)} se llenó encima de texto firmado de la página ${page}: puede leerse otra cosa.`,
  'field-signed': ({ field }) => `Se firmó en el campo de firma ${quoted(field)}.`,
  'field-timestamped': ({ field }) =>
    `Se agregó un sello de tiempo en el campo de firma ${quoted(field)}.`,
  'signature-added': (added) => `Se agregó la firma ${quoted(added.field)}${shownOn(added)}.`,
  'unlisted-signature-added': ({ field, page }) =>
    `Se agregó la firma ${quoted(field)} en la página ${page}, pero no en el formulario.`,
  'signature-covers-content': ({ field, page }) =>
    `La firma ${quoted(field)}, que se agregó después, tapa contenido firmado de la página ${page}.`,
  'signature-may-cover-content': ({ field, page }) =>
    `La firma ${quoted(field)}, que se agregó después, puede tapar contenido firmado de la página ${page}.`,
  'document-timestamp-added': (added) =>
    `Se agregó un sello de tiempo del documento (${quoted(added.field)}${shownOn(added)}).`,
  'empty-signature-field-added': (added) =>
    `Se agregó un campo de firma vacío (${quoted(added.field)}${shownOn(added)}).`,

  'font-changed': ({ page }) => `Se cambió una fuente que usa el texto${ofPageOrDocument(page)}.`,
  'picture-changed': ({ page }) => `Se cambió una imagen o figura${ofPageOrDocument(page)}.`,
  'earlier-signature-changed': () => 'Se cambió una firma anterior.',
  'information-changed': ({ key }) => `Se cambió el dato ${quoted(key)} del documento.`,
  'metadata-updated': () => 'Se actualizaron los metadatos.',
  'metadata-changed': () => 'Se cambiaron los metadatos del documento.',
  'structure-changed': () =>
    'Se cambió la estructura del documento (la que leen los programas de accesibilidad).',
  'object-removed': ({ object, page }) =>
    `Se quitó el objeto ${object}${ofPage(page)}, que la firma cubre.`,
  'object-defined': ({ object, page }) =>
    `Se definió el objeto ${object}${ofPage(page)}, que la firma dejó sin definir.`,
  'object-changed': ({ object, page }) =>
    `Se cambió el objeto ${object}${ofPage(page)}, que la firma cubre.`,

  'later-revisions-unreadable': () => 'Lo que se agregó después de la firma no se puede leer.',
  'loose-objects-added': () =>
    'Después de lo firmado se agregaron objetos que no forman una revisión.',
  'incomplete-revision-added': () =>
    'Después de lo firmado empieza una revisión incompleta, como en un archivo que no se descargó completo.',
  'other-version-after-signature': ({ object, page }) =>
    `Después de lo firmado hay otra versión del objeto ${object}${page === null ? '' : `, que se ve en la página ${page}`}: hay programas que muestran esa.`,
  'more-changes': ({ count }) => (count === 1 ? 'Y un cambio más.' : `Y ${count} cambios más.`),
}

/** What a later revision changed, es-MX. */
export const sentenceOfChange = (change: ChangeFact) => sentenceIn<ChangeCodes>(CHANGES, change)

const ofPage = (page: number | null) => (page === null ? '' : ` de la página ${page}`)
const ofPageOrDocument = (page: number | null) => ofPage(page) || ' del documento'

function shownOn({ visible, page }: { visible: boolean; page: number | null }): string {
  if (!visible) return ''
  return page === null ? ', visible' : `, visible en la página ${page}`
}
