import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { INCREMENTAL_SAVING } from '#tests/attacks/incremental-saving.ts'
import { STRUCTURE } from '#tests/attacks/structure.ts'

testFamilies([...INCREMENTAL_SAVING, ...STRUCTURE])
