import { type CodedFactOf, codedFactsOf, type NoParameters } from './coded-fact.ts'

/** Of an object; null for one that belongs to no page, or to several. */
type OnPage = { page: number | null }
type OfPage = { page: number }
/** A field of the form, by its whole name. */
type OfField = { field: string }
/** A key of a dictionary of the file. */
type OfKey = { key: string }
type OfObject = { object: number; page: number | null }
type NewField = { field: string; visible: boolean; page: number | null }

/** What a later revision changed: each code with the type of its parameters. */
export type ChangeCodes = {
  /** The trailer leads to another catalog: the file may show another document. */
  'catalog-replaced': NoParameters
  /** The encryption dictionary, or the part of /ID that belongs to the key, differs. */
  'encryption-changed': NoParameters
  /** The catalog names another page tree. */
  'page-tree-replaced': NoParameters
  /** The action that runs when the document is opened differs. */
  'open-action-changed': NoParameters
  /** The actions that the document triggers by itself differ. */
  'document-actions-changed': NoParameters
  /** The layers, or which of them are shown, differ. */
  'layers-changed': NoParameters
  /** The name trees differ: destinations, attachments or scripts. */
  'names-changed': NoParameters
  /** The permissions of the document (/Perms) differ. */
  'permissions-changed': NoParameters
  /** Another entry of the catalog differs. */
  'catalog-entry-changed': OfKey
  /** Validation data (DSS) was added. */
  'validation-data-added': NoParameters
  /** Validation data (DSS) was removed. */
  'validation-data-removed': NoParameters

  /** The content of a page differs. */
  'page-content-replaced': OfPage
  /** The resources that a page draws with differ. */
  'page-resources-changed': OfPage
  /** The actions that a page triggers by itself differ. */
  'page-actions-changed': OfPage
  /** Another entry of a page differs. */
  'page-entry-changed': { page: number; key: string }
  /** Pages were added. */
  'pages-added': NoParameters
  /** Pages were removed. */
  'pages-removed': NoParameters
  /** Pages were removed and others were added. */
  'pages-exchanged': NoParameters
  /** The same pages stand in another order. */
  'pages-reordered': NoParameters
  /** The page tree is written in another way; the pages and their order are the same. */
  'page-tree-changed': NoParameters
  /** A value that a node of the page tree passes down to its pages differs. */
  'shared-page-data-changed': NoParameters

  /** Annotations of a page are missing or stand in another order. */
  'annotations-removed-or-reordered': OfPage
  /** A page gained a note or a mark that covers nothing. */
  'note-added': OfPage
  /** A page gained a note or a mark that may hide or change what was signed: it draws over letters, or over what is not read. */
  'note-may-cover-content': OfPage
  /** A page gained an annotation that may cover signed content. */
  'annotation-added': OfPage
  /** An annotation differs. */
  'annotation-changed': OnPage

  /** An entry of the form dictionary differs. */
  'form-entry-changed': OfKey
  /** Fields of the form are missing or stand in another order. */
  'fields-removed-or-reordered': NoParameters
  /** The form gained a field that is no signature field. */
  'field-added': NoParameters
  /** A field differs in more than its value and appearance. */
  'field-changed': OfField
  /** A field was filled: with what, in one line, cut where it is long. */
  'field-filled': { field: string; value: string }
  /** A field was filled that people do not fill: a push button, a read-only field, a field of no known kind. */
  'field-not-fillable': OfField
  /** A field that the signature locks was filled. */
  'locked-field-filled': OfField
  /** A field has the value that was signed and looks different. */
  'field-look-changed': OfField
  /** The appearance of a filled field is used elsewhere in the document, too. */
  'field-look-shared': OfField
  /** A filled field shows something other than its value. */
  'field-shows-other-value': OfField
  /** A filled field writes over letters that were signed, or its ground or border hides them or no longer does. */
  'field-writes-over-content': { field: string; page: number }
  /** A signature field that was empty was signed. */
  'field-signed': OfField
  /** A signature field that was empty holds a document timestamp. */
  'field-timestamped': OfField
  /** A signature with its own field was added. */
  'signature-added': NewField
  /** A signature was added that a page shows and the form does not list. */
  'unlisted-signature-added': { field: string; page: number }
  /** The look of a later signature hides what was signed on a page. */
  'signature-covers-content': { field: string; page: number }
  /** The look of a later signature may hide what was signed: what is below it cannot be computed. */
  'signature-may-cover-content': { field: string; page: number }
  /** A document timestamp with its own field was added. */
  'document-timestamp-added': NewField
  /** A signature field without a signature was added. */
  'empty-signature-field-added': NewField

  /** A font differs. */
  'font-changed': OnPage
  /** An image or a drawing differs. */
  'picture-changed': OnPage
  /** An earlier signature differs. */
  'earlier-signature-changed': NoParameters
  /** What people state about the document (/Info), such as its title, differs. */
  'information-changed': OfKey
  /** Dates, program names or the XMP packet were updated. */
  'metadata-updated': NoParameters
  /** Metadata differs that is used elsewhere, too. */
  'metadata-changed': NoParameters
  /** The structure that accessibility programs read differs. */
  'structure-changed': NoParameters
  /** An object that the signature covers is gone. */
  'object-removed': OfObject
  /** An object is defined that the signed document refers to and does not define. */
  'object-defined': OfObject
  /** Another object that the signature covers differs. */
  'object-changed': OfObject

  /** The revisions after the signature cannot be read. */
  'later-revisions-unreadable': NoParameters
  /** Objects stand after the signed bytes that belong to no revision. */
  'loose-objects-added': NoParameters
  /** After the signed bytes a revision begins and does not end, as in a file that was cut off. */
  'incomplete-revision-added': NoParameters
  /** Programs that search the file find another version of an object after the signed bytes. */
  'other-version-after-signature': OfObject
  /** There are more changes than the report lists. */
  'more-changes': { count: number }
}

export type ChangeFact = CodedFactOf<ChangeCodes>

export const changeFact = codedFactsOf<ChangeCodes>()

type ChangeCode = ChangeFact['code']

const COVERING: ReadonlySet<ChangeCode> = new Set([
  'signature-may-cover-content',
  'note-may-cover-content',
])

/** Whether such a change may hide what was signed. */
export const isCovering = (code: ChangeCode) => COVERING.has(code)

/** Whether such a change leaves its signature in doubt, whatever changes this allows. */
export const isDoubtful = (code: ChangeCode) =>
  isCovering(code) || code === 'field-writes-over-content'
