import { CHANGED_PAINT } from '#tests/attacks/over-letters/changed-paint.ts'
import { RECOLOURED_LETTERS } from '#tests/attacks/over-letters/recoloured-letters.ts'
import { ALLOWED } from './allowed.ts'
import { ALTERED_LETTERS } from './altered-letters.ts'
import { ANNOTATIONS } from './annotations.ts'
import type { Family } from './attack.ts'
import { CUT_LETTERS } from './cut-letters.ts'
import { FIELDS } from './fields.ts'
import { FORGERY } from './forgery.ts'
import { HIDDEN_CONTENT } from './hidden-content.ts'
import { INCREMENTAL_SAVING } from './incremental-saving.ts'
import { INKS } from './inks.ts'
import { LETTERS } from './letters.ts'
import { LOOKS } from './looks.ts'
import { MISREAD_LOOKS } from './misread-looks.ts'
import { NAMES } from './names.ts'
import { ODD_SCANS } from './odd-scans.ts'
import { REACHING_LOOKS } from './reaching-looks.ts'
import { REBUILT } from './rebuilt.ts'
import { REPAIRED } from './repaired.ts'
import { SCANNED_LETTERS } from './scanned-letters.ts'
import { SHADOW } from './shadow.ts'
import { STRUCTURE } from './structure.ts'
import { TEXT_MARKS } from './text-marks.ts'
import { UNSEEN_SIGNS } from './unseen-signs.ts'
import { UPRIGHT_LOOKS } from './upright-looks.ts'
import { WRAPPING } from './wrapping.ts'

/** The attacks on other bases (`other-bases.ts`) repeat some of these. */
export const ALL_FAMILIES: readonly Family[] = [
  ...ALLOWED,
  ...SHADOW,
  ...INCREMENTAL_SAVING,
  ...FORGERY,
  ...WRAPPING,
  ...ANNOTATIONS,
  TEXT_MARKS,
  UPRIGHT_LOOKS,
  ...STRUCTURE,
  ...FIELDS,
  ...LOOKS,
  ...MISREAD_LOOKS,
  ...UNSEEN_SIGNS,
  ...CHANGED_PAINT,
  ...CUT_LETTERS,
  ...REACHING_LOOKS,
  ...HIDDEN_CONTENT,
  ...INKS,
  ...LETTERS,
  ...ALTERED_LETTERS,
  ...SCANNED_LETTERS,
  ...ODD_SCANS,
  ...RECOLOURED_LETTERS,
  ...NAMES,
  ...REPAIRED,
  ...REBUILT,
]
