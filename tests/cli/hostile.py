# SPDX-License-Identifier: BSD-3-Clause
"""Calls of sturm that somebody will make one day: what each must end with, and a piece of what it must say.

A row is (exit codes, piece of the message, arguments, options). Arguments are one text, cut as a shell cuts it. Options:
  how     what a shell does with the streams or limits: '{}' stands for the call
  nobody  the call is made by a user who owns nothing here
  leaves  names that the call may leave behind, since it succeeds or is to be gone on with
  env     variables
The words are matched as a regular expression in what goes to stderr."""

FIT = "fit --array X.npy --labels y.tsv --target score --no-report -o out"
CV = "cv --array X.npy --labels y.tsv --target group --positive a --methods svm --outer 3 --inner 2 --no-report -o out"
CHECK = "check --samples samples.tsv --target group --positive a"
PREDICT = "predict --model made/fit --array X.npy -o out"
PHANTOM = "phantom --subjects 2 --size 12x14x12 -o out"
REPORT = "report made/fit -o page.html"
VOLUMES = "fit --samples samples.tsv --target score --no-report --mask none -o out"

BASES = {"fit": FIT, "cv": CV, "check": CHECK, "predict": PREDICT, "phantom": PHANTOM, "report": REPORT, "verify": "verify made/fit"}
OUT = ("out", "out.work")


def rows():
    """Every row that is written by hand."""
    out = []

    def add(code, words, arguments, **options):
        out.append((code if isinstance(code, tuple) else (code,), words, arguments, options))

    # The words of the command line.
    for words, arguments in [
            ("no command 'fti' .did you mean fit", "fti"), ("no command ''", "''"), ("no command 'FIT' .did you mean fit", "FIT"),
            ("no command 'crossvalidate'; there are", "crossvalidate"), ("no flag --tau", "--tau 1"),
            ("no flag --verison .did you mean --version", "--verison"), ("no flag -x", "-x"), ("no flag -x", "fit -x"),
            ("no flag --tua .did you mean --tau", "fit --tua 1"), ("no flag --perm .did you mean --permutations", "cv --perm 3"),
            ("no flag --sample .did you mean --samples", "check --sample a.tsv"), ("needs a value .NUMBER.", "fit --tau"),
            ("--tau needs a value .NUMBER., and --gamma follows", FIT + " --tau --gamma 1"), ("given twice", FIT + " --seed 1 --seed 2"), ("--seed is empty", FIT + " --seed= 1"),
            ("--output is given twice", FIT + " -o other"), ("--quiet takes no value", FIT + " --quiet=yes"),
            ("the word 'tau' .did you mean --tau", FIT + " tau 1"), ("the word 'x.nii'", "fit x.nii"), ("the word '-1'", "fit -1"),
            ("needs DIR|needs folder", "report"), ("the word 'b'", "report a b"), ("no command 'nope'", "help nope"),
            ("--completion is one of bash, zsh, not fish", "help --completion fish"), ("is empty", "help --completion ''"),
            ("--output is missing", "fit --array X.npy --labels y.tsv"), ("no input is named", "fit -o out"),
            ("no input is named", "check"), ("--labels is missing", "fit --array X.npy -o out"), ("does not go with", FIT + " --samples samples.tsv"),
            ("is one of", FIT + " --device tpu"), ("did you mean certified", FIT + " --solver certifed"), ("--device cuda is not in", FIT + " --device cuda"),
            ("is one of none, sample, voxel, not all", FIT + " --normalize all"), ("did you mean sample", FIT + " --normalize smaple"),
            ("--method lassoo does not exist", FIT + " --method lassoo"), ("there are: all", CV.replace("svm", ",")),
            ("--method nope does not exist", CV.replace("svm", "svm,nope")), ("-q and -v", FIT + " -q -v"), ("needs --atlas|add --atlas", "report made/fit --atlas-labels y.tsv"),
            ("does not go with a file", "info --methods X.npy"), ("--model is missing", "predict --array X.npy -o out"),
            ("is not a parameter of sturm", FIT + " --C 1"), ("--tau is missing|give both", FIT + " --gamma 1"), ("use one or the other", FIT + " --tau 1 --gamma 1 --strength 1"),
            ("--positive names one of two", CV + " --classes")]:
        add(2, words, arguments)
    for flag in ("samples", "array", "labels", "target", "positive", "participants", "images", "bids", "entities", "mask", "cache",
                 "output", "config", "memory", "log-json", "progress", "device", "precision", "normalize", "solver", "method", "site",
                 "weights", "on-mismatch", "interpolation", "nan", "resize"):
        add(2, f"--{flag} is empty|is one of", f"fit --{flag} ''")
    for flag in ("methods", "outer", "inner", "grid", "score", "resize", "top", "groups", "confounds", "work", "shard", "preset"):
        add(2, f"--{flag} is empty|is one of", f"cv --{flag} ''")
    for flag in ("--atlas", "--atlas-labels", "--template", "--truth", "--figures", "-o"):
        add(2, "is empty", f"report made/fit {flag} ''")
    add(2, "is empty", "report ''")
    add(2, "is empty", "info ''")
    add(2, "is empty", "predict --model '' --array X.npy -o out")

    # Numbers that are not flags of numbers: lists, folds, sizes, parts.
    for text in ("x", "nan", "0", "-1", "2", "1e400", "0.5,x", ",", "0x1"):
        add(2, "--resize", CV.replace("--array X.npy --labels y.tsv", "--samples samples.tsv") + f" --resize '{text}'")
    for text in ("x", "nan", "0", "-1", "101", "inf", ","):
        add(2, "--top", CV.replace("svm", "lasso+svm") + f" --top '{text}'")
    for text in ("x", "1", "0", "-3", "2.5", "nan", "99999999999999999999", "0x3", "column:", "3 "):
        add(2, "--outer is a number of folds", CV.replace("--outer 3", f"--outer '{text}'"))
        add(2, "--inner is a number of folds", CV.replace("--inner 2", f"--inner '{text}'"))
    add(2, "--inner is a number of folds.*columns of folds are for --outer", CV.replace("--inner 2", "--inner column:part"))
    add(3, "'nope'", CV.replace("--outer 3", "--outer column:nope"))
    add(3, "more folds|fewer than", CV.replace("--outer 3", "--outer 2000000000"))
    add(3, "more folds|fewer than", CV.replace("--inner 2", "--inner 2000000000"), leaves=OUT)
    for text in ("x", "-1", "nan", "0", "4X", "1e400", "4GG", "inf", "1e30G"):
        add(2, "--memory is a size", FIT + f" --memory '{text}'")
    add(3, "bytes of memory", FIT + " --memory 1")
    for text in ("x", "0/2", "3/2", "1/0", "-1/2", "1/", "/2", "1", "1/2/3", "99999999999/99999999999"):
        add(2, "--shard is i/n", CV + f" --shard '{text}'")
    for text in ("x", "12", "12x14", "0x1x1", "12x14x12x1", "-1x2x3", "nanx1x1", "9999999999999999999999x1x1"):
        add(2, "--size is three numbers", PHANTOM.replace("12x14x12", text))
    add((2, 3), "--size|memory", PHANTOM.replace("12x14x12", "4096x4096x4096"))
    add(2, "too coarse", PHANTOM.replace("12x14x12", "1x1x1"))
    for text in ("1", "0", "-5", "100001"):
        add(2, "--subjects", PHANTOM.replace("--subjects 2", f"--subjects {text}"))
    for text in ("0", "5", "-1"):
        add(2, "--rank", PHANTOM + f" --rank {text}")
    add(2, "--permutations 1000000000 makes more than", CV + " --permutations 1000000000 --dry-run")
    add(2, "--permutations 1000000000 makes more than", CV + " --permutations 1000000000")
    add(2, "--permutations is a number from 0", CV + " --permutations -1")
    add(2, "--threads is a number from 1 to", FIT + " --threads 2000000000")
    add(2, "--threads is a number from 1 to", "check --samples samples.tsv --threads 2000000000")
    add(2, "0 to 9223372036854775807", FIT + " --seed -1")
    add(2, "0 to 9223372036854775807", FIT + " --seed 99999999999999999999")
    add(2, "0 to 9223372036854775807", CV + " --seed 9223372036854775808")
    add(0, "", FIT + " --seed 9223372036854775807", leaves=OUT)
    add(0, "", FIT + " --tau 0.5 --gamma 0.1 --seed 007", leaves=OUT)

    # Configuration files.
    for name, words in [("folder", "it is a folder"), ("pipe", "it is a pipe"), ("/dev/zero", "it is a device"), ("socket", "it is a socket"),
                        ("absent.toml", "does not exist"), ("loop", "circle"), ("y.tsv", "line 1: is not TOML"), ("X.npy", "is not TOML"),
                        ("bad/no-value.toml", "line 2: is not TOML"), ("bad/twice.toml", "is not TOML"), ("bad/flag.toml", "'tua' is not a flag of sturm fit .did you mean tau"),
                        ("bad/section.toml", r"\[nonsense\] is not the name of a command"), ("bad/word.toml", "line 1: key 'tau': --tau is a number"),
                        ("bad/empty.toml", "key 'tau': --tau is empty"), ("bad/nan.toml", "key 'tau': --tau is a number"), ("bad/table.toml", "'tau'|tau"),
                        ("bad/list.toml", "key 'tau': --tau is a number"), ("bad/no-list.toml", "empty list"), ("bad/comma.toml", "holds a comma"),
                        ("bad/nested.toml", "where one value is needed"), ("bad/switch.toml", "either true or false"), ("bad/yes.toml", "either true or false"),
                        ("bad/true.toml", "a value, not true or false"), ("bad/config.toml", "'config' is not a flag"), ("bad/help.toml", "'help' is not a flag"),
                        ("bad/date.toml", "'2026-01-31'"), ("bad/huge.toml", "key 'seed'|not TOML"), ("bad/negative.toml", "key 'seed': --seed is a whole number"),
                        ("bad/utf16.toml", "is not TOML"), ("bad/zero.toml", "is not TOML"), ("bad/deep.toml", "where one value|is not TOML"), ("bad/quote.toml", "is not TOML")]:
        add(3, words, FIT + f" --config {name}")
    for name in ("underscore", "escape", "bom", "long-quote", "literal", "crlf", "sections", "inline", "empty", "off"):
        add(0, "", FIT + f" --config good/{name}.toml", leaves=OUT)
    add(0, "", CV.replace(" --methods svm", "") + " --config good/cv-list.toml", leaves=OUT)

    # Inputs that are no files, or not those that they should be.
    odd = [("folder", "is a folder"), ("pipe", "is a pipe"), ("/dev/zero", "is a device"), ("/dev/tty", "is a device"), ("socket", "is a socket"),
           ("absent", "does not exist"), ("loop", "circle"), ("dangling", "does not exist"), ("y.tsv/deep", "not a folder"), ("empty", "")]
    for name, words in odd:
        words = f"{words}|there is no|is not a file|not a regular" if words else ""
        add(3, words, FIT.replace("X.npy", name))
        add(3, words, FIT.replace("y.tsv", name))
        add(3, words, FIT + f" --mask {name}")
        add(3, words, VOLUMES.replace("samples.tsv", name))
        add(3, words, CV.replace("X.npy", name))
        add(3, words, f"check --samples {name}")
        add(3, words and words + "|does not exist", f"predict --model {name} --array X.npy -o out")
        add(3, words, f"check --participants {name} --images '{{participant_id}}.nii'")
        add(3, "", f"info {name}")
        add(3, "", f"report {name} -o page.html")
        add(3, "", f"verify {name}")
        add(3, words, REPORT + f" --atlas {name}")
        add(3, words, REPORT + f" --truth {name}")
    for volume in ("pipe", "folder", "socket", "loop", "empty", "absent.nii", "y.tsv"):
        add(3, "", f"fit --samples odd/{volume.split('.')[0]}.tsv --target score --mask none -o out")
        add(3, "", f"check --samples odd/{volume.split('.')[0]}.tsv")
    add(3, "", FIT.replace("y.tsv", "X.npy"))
    add(3, "", FIT.replace("X.npy", "y.tsv"))
    add(3, "", "info samples.tsv/x")
    add(3, "'nope'", FIT.replace("score", "nope"))
    add(3, "does not exist|it is a folder|has no", "fit --bids absent --target score -o out")

    # Where results go.
    for text, words in [("/", "root of the file system"), (".", "folder you are in"), ("..", "not empty|folder you are in"), ("./", "folder you are in"), ("X.npy", "is a file"),
                        ("X.npy/", "is a file|not a folder"), ("X.npy/out", "is a file"), ("full", "not empty"), ("loop", "circle"), ("loop/out", "circle"), ("dangling", "link to what does not exist"),
                        ("n" * 300, "too long"), ("n" * 250, "too long"), ("n" * 300 + "/out", "too long"), ("d/" * 2500 + "out", "too long"), ("/proc/out", "cannot be|nothing can be"),
                        ("/dev/null", "is a file|device|folders"), ("/dev/null/out", "is a file|device|folders"), ("pipe", "is a file"), ("full/../full/", "not empty")]:
        add(3, words, FIT.replace("-o out", f"-o '{text}'"))
        add(3, words, CV.replace("-o out", f"-o '{text}'"))
        add(3, words, PHANTOM.replace("-o out", f"-o '{text}'"))
        add((2, 3), words, PREDICT.replace("-o out", f"-o '{text}'"))
    add(3, "holds 'precious.doc'", FIT.replace("-o out", "-o full --force"))
    add(0, "", FIT.replace("-o out", "-o out/"), leaves=OUT)
    add(0, "", FIT.replace("-o out", "-o a/deep/out"), leaves=("a",))
    add(0, "", FIT.replace("-o out", "-o 'line\nbreak'"), leaves=("line\nbreak",))
    add(0, "", FIT.replace("-o out", "-o ./x/../out"), leaves=OUT)
    for flag in ("--work out", "--work out/work", "--work ./out/", "--cache out", "--log-json out/log"):
        add(2, "lies in the folder of --output", CV.replace("--array X.npy --labels y.tsv", "--samples samples.tsv") + " " + flag)
    for text, words in [("loop", "circle"), ("X.npy", "cannot be|is a file"), ("X.npy/work", "is a file"), ("n" * 300, "too long"), ("/proc/work", "cannot be|nothing can be"), ("dangling", "link")]:
        add(3, words, CV + f" --work '{text}'")
    for text, words in [("y.tsv", "no log of sturm"), ("X.npy", "no log of sturm"), ("folder", "cannot be written"), ("absent/log", "cannot be written"), ("pipe", "is a pipe|cannot be written"),
                        ("socket", "cannot be written"), ("loop", "cannot be written"), ("n" * 300, "cannot be written"), ("made/fit/fit.json", "no log of sturm")]:
        add(3, words + ".*--log-json", FIT + f" --log-json '{text}'")
    add(0, "the log cannot be written any more", FIT + " --log-json /dev/full", leaves=OUT)
    add(0, "the log cannot be written any more", CV + " --log-json /dev/full", leaves=OUT)
    add(0, "", FIT + " --log-json /dev/null", leaves=OUT)
    add(3, "is there already", "report made/fit -o y.tsv")
    add(3, "cannot be written", "report made/fit -o absent/page.html")
    add(3, "cannot be written", "report made/fit --force -o folder")
    add(3, "not empty", "report made/fit --figures full")
    add(3, "circle", "report made/fit --figures loop")

    # Nobody may read or write here.
    for arguments, words in [(FIT.replace("X.npy", "locked/X.npy"), "permission denied"), (FIT.replace("y.tsv", "locked/y.tsv"), "permission denied"), (FIT.replace("-o out", "-o locked/out"), "permission denied"),
                             (FIT.replace("-o out", "-o locked/deep/out"), "permission denied"), (FIT, "nothing can be written there .permission denied"), (CV, "permission denied"), (CV + " --work locked/w", "permission denied"),
                             ("check --samples locked/samples.tsv", "permission denied"), ("info locked/X.npy", "permission denied"), ("report locked/fit", "permission denied"),
                             (FIT + " --config locked/a.toml", "permission denied"), (FIT + " --mask locked/X.npy", "permission denied"), ("predict --model locked/fit --array X.npy -o out", "permission denied"),
                             ("fit --samples odd/locked.tsv --target score --mask none -o out", "[Pp]ermission denied"), (PHANTOM, "permission denied"), (FIT.replace("-o out", "-o /sys/out"), "nothing can be written"),
                             (FIT + " --log-json locked/log", "denied"), ("check --participants y.tsv --images 'locked/{participant_id}.nii'", "[Pp]ermission denied"), ("check --bids locked --entities a-b", "[Pp]ermission denied|does not exist|participants")]:
        add(3, words, arguments, nobody=True)

    # Streams that are closed, full, or that nobody reads.
    for arguments, leaves in [(FIT, OUT), (FIT + " --progress json", OUT), (CV + " -q", OUT), (PHANTOM, OUT)]:
        for how in ("{} 2>&-", "{} 2>/dev/full", "{} <&-", "{} >&- 2>&-", "{} 2> >(exit)", "{} 2>&- <&- >&-"):
            add(0, "", arguments, how=how, leaves=leaves)
    for arguments in ("info", "info --json", "info X.npy", "info --methods", "help", "help cv", "help --man", "help --completion bash", "--version", "--help", CHECK, CHECK + " --json", CV + " --dry-run",
                      "predict --model made/fit --array X.npy -o -"):
        for how in ("{} >/dev/full", "{} >&-"):
            add(3, "not everything could be written to stdout", arguments, how=how)
    add(3, "", "info --json", how="{} 2>&- >/dev/full")
    add((0, 3), "", "help cv", how="{} | true; exit ${{PIPESTATUS[0]}}")
    add(3, "not everything could be written to stdout", FIT + " --json", how="{} >/dev/full", leaves=OUT)
    add(3, "not everything could be written to stdout", CV, how="{} >&-", leaves=OUT)
    add(2, "", "fit --tau x", how="{} 2>&-")
    add(3, "", "info absent", how="{} 2>/dev/full")
    # JSON alone on stderr: the runner reads each line of these.
    for code, arguments in [(2, "fit --tua 1 --progress json"), (2, "nonsense --progress json"), (2, FIT + " --tau x --progress=json"), (3, FIT.replace("X.npy", "absent") + " --progress json"),
                            (3, "check --samples broken.tsv --progress json"), (0, CHECK + " --progress json"), (3, CV.replace("-o out", "-o full") + " --progress json")]:
        add(code, "", arguments, json=True)
    for arguments in (FIT, CV, VOLUMES, PHANTOM, CV + " -v", FIT + " -q"):
        add(0, "", arguments + " --progress json", json=True, leaves=OUT)
    # -q does not hide why.
    add(3, "absent.nii", "check -q --samples odd/absent.tsv")
    add(3, "does not exist", FIT.replace("X.npy", "absent") + " -q")

    # Limits of the system.
    add(3, "cannot start: the limit on memory|not enough memory|the system refused", "info", how="ulimit -v 100000; {}")
    add(3, "cannot start: the limit on memory|not enough memory|the system refused", FIT, how="ulimit -v 200000; {}")
    add((0, 3), "", FIT, how="ulimit -v 300000; {}", leaves=OUT)
    add((0, 3), "", CV, how="ulimit -v 1000000; {}", leaves=OUT)
    add((0, 3), "", FIT, how="ulimit -f 2; {}", leaves=OUT)
    for size in (0, 1):
        add(3, "File too large|too large", FIT, how=f"ulimit -f {size}; {{}}")
        add(3, "too large", PHANTOM, how=f"ulimit -f {size}; {{}}")
    add(3, "too large", CV, how="ulimit -f 0; {}", leaves=OUT)
    add((0, 3), "", CV, how="ulimit -f 8; {}", leaves=OUT)
    add(3, "too large", VOLUMES + " --cache cached", how="ulimit -f 0; {}", leaves=("cached",))
    add((0, 3), "", VOLUMES, how="ulimit -n 8; {}", leaves=OUT)
    add((0, 3), "", FIT + " --threads 4", how="ulimit -u 1; {}", leaves=OUT, nobody=True)
    add((0, 3), "", FIT, how="ulimit -s 256; {}", leaves=OUT)
    add((0, 3), "", "info", env={"OMP_NUM_THREADS": "99999999"})
    add(0, "", "info", env={"OMP_NUM_THREADS": "-1"})
    add(0, "", "help cv", env={"COLUMNS": "1"})
    add(0, "", "help cv", env={"COLUMNS": "99999999999"})
    add(0, "", "help cv", env={"COLUMNS": "-3"})
    add((2, 0), "", "info", env={"STURM_BLAS_KERNELS": "nonsense"})
    return out


NO_NUMBER = {"": "is empty|is auto or a number", "nan": "number", "-nan": "number", "inf": "number", "-inf": "number", "word": "number", "0x10": "number",
             "1e400": "number", "1,5": "number", "1_000": "number", "5 6": "number", "99999999999999999999999999x": "number"}
NO_WHOLE = {"1.5": "whole number", "1e3": "whole number", "99999999999999999999": "whole number", "-99999999999999999999": "whole number", "-1.0": "whole number"}
ODD_NUMBERS = ("-1", "1e300", "-1e300", "1e-300", "0")
ODD_WHOLES = ("-1", "2147483647", "-2147483648", "0")


def numeric_rows(flags):
    """For each numeric flag of each command, what is no number, and numbers that may not be allowed: these end in any way
    but a crash. `flags`: (command, flag, whether it is a whole number)."""
    for command, flag, whole in flags:
        base = BASES.get(command)
        if base is None:
            continue
        cut = base.split()
        if flag in cut:  # in the place of the one that is there
            at = cut.index(flag)
            cut = cut[:at] + cut[at + 2:]
        base = " ".join(cut)
        for text, words in {**NO_NUMBER, **(NO_WHOLE if whole else {})}.items():
            yield (2,), f"{flag} .*({words})", f"{base} {flag} '{text}'", {}
        for text in ODD_WHOLES if whole else ODD_NUMBERS:
            yield (0, 2, 3, 4), "", f"{base} {flag} '{text}'", {"leaves": OUT, "few_threads": flag != "--threads"}
