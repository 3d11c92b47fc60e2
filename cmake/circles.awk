# Finds circles between files: files that need each other. A file is a .c and the .h of the same name.
#
# Input: lines "include FROM:LINE TO" and "symbol NAME FROM TO", paths with their extension. FROM needs TO
# when it includes it, or when it calls a function (or uses an object) that TO defines, in whichever header
# that is declared. Output: each circle with the lines that make it; exit status 1 when there is one.
function file_of(path)
{
    sub(/\.[ch]$/, "", path)
    return path
}

function edge(from, to, why)
{
    if (from == to || (from, to) in evidence)
        return
    evidence[from, to] = why
    next_of[from] = next_of[from] " " to
    known[from] = known[to] = 1
}

# Tarjan's strongly connected components; the parameters after `node` are locals.
function visit(node, list, count, i, to)
{
    order[node] = low[node] = ++visited
    stack[++depth] = node
    on_stack[node] = 1
    count = split(next_of[node], list, " ")
    for (i = 1; i <= count; i++) {
        to = list[i]
        if (!(to in order)) {
            visit(to)
            if (low[to] < low[node])
                low[node] = low[to]
        } else if (on_stack[to] && order[to] < low[node]) {
            low[node] = order[to]
        }
    }
    if (low[node] != order[node])
        return
    members = 0
    do {
        to = stack[depth--]
        on_stack[to] = 0
        member[++members] = to
    } while (to != node)
    if (members > 1)
        report()
}

function report(i, k)
{
    circles++
    print "a circle of " members " files:"
    for (i = 1; i <= members; i++)
        for (k = 1; k <= members; k++)
            if ((member[i], member[k]) in evidence)
                print "    " evidence[member[i], member[k]]
}

$1 == "include" {
    split($2, place, ":")
    edge(file_of(place[1]), file_of($3), $2 ": includes " $3)
}
$1 == "symbol" {
    edge(file_of($3), file_of($4), $3 ": uses " $2 " of " $4)
}

END {
    for (node in known)
        if (!(node in order))
            visit(node)
    exit circles > 0
}
