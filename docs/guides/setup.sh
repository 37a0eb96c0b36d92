# Makes a project for one guide and sets the variables that its snippets use. Run it from the folder of the repository:
#   . docs/guides/setup.sh
# PORT and DATA_DIR are those of the service, and may stand in .env. A service elsewhere: set URL, and KEY to an API key of an owner.

# A setting of the service as the file .env has it, or nothing.
setting() {
  node -e 'const fs = require("fs"), { parseEnv } = require("util");
    if (fs.existsSync(".env")) console.log(parseEnv(fs.readFileSync(".env", "utf8"))[process.argv[1]] ?? "")' "$1"
}

# One function, so that a fault ends this file and leaves the shell of the reader open.
begin_guide() {
  : "${PORT:=$(setting PORT)}" "${DATA_DIR:=$(setting DATA_DIR)}"
  : "${URL:=http://localhost:${PORT:-3000}}"
  URL=${URL%/}
  if [ -z "${KEY:-}" ]; then
    set -- "${DATA_DIR:-data}/bootstrap.json"
    if [ ! -r "$1" ]; then
      echo "There is no $1 to take an API key from: set KEY to an API key, or DATA_DIR to the folder of the service." >&2
      return 1
    fi
    KEY=$(node -p "JSON.parse(require('fs').readFileSync(process.argv[1])).personal_api_key" "$1")
  fi
  AUTH="Authorization: Bearer $KEY"

  if ! project=$(curl -sS -H "$AUTH" -H 'Content-Type: application/json' -d "{\"name\":\"Guide, $(date '+%F %T')\"}" "$URL/api/projects/" 2> /dev/null); then
    echo "No service answers on $URL: start it with npm start, or set URL to its address." >&2
    return 1
  fi
  # The answer of a project has a token; any other answer says what is wrong, unless it comes from another program.
  set -- "$(node -e '
    let answer = {};
    try { answer = JSON.parse(process.argv[1]) ?? {}; } catch {}
    console.log(answer.api_token ? `${answer.id} ${answer.api_token}` : answer.detail ?? "this is not Kohort");' "$project")"
  case $1 in
    *' phc_'*) ;;
    *)
      echo "$URL makes no project for this guide: $1." >&2
      return 1
      ;;
  esac
  PROJECT=${1%% *}
  TOKEN=${1##* }
  API=$URL/api/projects/$PROJECT
}

# The time so many days ago, such as 2026-03-05T10:00:00.000Z.
ago() { node -p "new Date(Date.now() - $1 * 864e5).toISOString()"; }

# One value of the JSON on standard input: … | value 'results[0].id'
value() {
  node -e "const v = JSON.parse(require('fs').readFileSync(0)).$1; console.log(Object(v) === v ? JSON.stringify(v) : v)"
}

begin_guide
