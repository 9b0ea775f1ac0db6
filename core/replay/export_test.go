package replay

// SetSpacing makes the index anew with checkpoints after that cost.
func (ix *Index) SetSpacing(cost int) {
	log := ix.log
	*ix = Index{log: log, spacing: cost, moves: ix.moves}
	clear(ix.moves)
	ix.head = ix.Cursor()
	ix.Extend()
}

// Bytes returns about how much memory the checkpoints take.
func (ix *Index) Bytes() int { return ix.bytes }
