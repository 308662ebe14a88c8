-- Refuses bids that cannot be read, and gives new jobs to the market, while there is one.
--
-- Beside slurm.conf, with JobSubmitPlugins=lua, and loaded by job_submit.lua: by the one that comes
-- with this file, or by the centre's own, which then calls
--
--    utilitysched_submit(job, partitions, user)          last in its slurm_job_submit
--    utilitysched_modify(job, record, partitions, user)  last in its slurm_job_modify
--
-- and returns what they return. slurmctld looks at job_submit.lua only: after a change of this
-- file, touch that one. Which comments are bids, and what they may say, is that of
-- utilitysched_slurm/comments.py. JSON is left to the market: Lua has no reader of it.
--
-- There is a market while `utilitysched slurm run` writes the time to its heartbeat at each cycle.
-- Then
--
-- * a new job is held (reason JobHeldUser), and its AdminComment says NEW, which no user can write:
--   by that the market tells its own hold from that of `sbatch --hold`, which it leaves alone;
-- * nobody but operators releases, or holds, a job that the market has: "Job is in held state";
-- * a job that its user held is his to release, and begins BEAT seconds later at the earliest (a
--   later --begin is lost; set StartTime again), by when the market has taken it;
-- * nobody but operators sets Nice: in Slurm (22.05, 24.11) that alone starts a job which an
--   administrator holds; nor changes what was bid for or with, once a job is admitted:
--   "Access/permission denied". A comment that begins with "amend " asks for other terms
--   (`utilitysched slurm amend`).
--
-- Without a market nothing is held, released or refused but bids that cannot be read. 22.05 tells
-- users in one line that a change is refused, and the log of slurmctld why; 24.11 tells them, too.

utilitysched = { -- what job_submit.lua may set otherwise
   operators = { 0 },
   -- one, or several, each with the partition = "name" that is its own (slurm run --partition)
   markets = { { heartbeat = "/var/lib/utilitysched/heartbeat" } },
}

local RELEASE = "0.1.0"
local PROBE = "utilitysched?" -- comment with which `utilitysched slurm check` asks what is in force
local NOBODY = 65534 -- user of that change: administrators may be exempt
local BEAT = 60 -- seconds after which there is no market any more

local NEW = "waits for the market"
local HELD = 2042 -- ESLURM_JOB_HELD, which the plugin does not name
local FINAL = { -- of an admitted job
   "comment", "account", "partition", "qos", "time_limit", "num_tasks", "min_cpus", "max_cpus",
   "cpus_per_task", "min_nodes", "max_nodes", "pn_min_cpus", "ntasks_per_node", "shared",
}
local NARROW = { cpus_per_task = true, pn_min_cpus = true, ntasks_per_node = true, shared = true }

local MOST, HIGHEST, LONGEST = 1024, 1e9, 366 * 86400
local SECONDS = { s = 1, min = 60, h = 3600, d = 86400, w = 604800 }
local SPELT = {
   sec = "s", second = "s", seconds = "s", mins = "min", minute = "min", minutes = "min",
   hr = "h", hrs = "h", hour = "h", hours = "h", day = "d", days = "d", week = "w", weeks = "w",
}
local KEYS = { deadline = true, value = true, checkpoint = true }

local function trimmed(text)
   return text:match("^%s*(.-)%s*$")
end

local function number(text)
   return text:match("^[%d.]+[eE]?[+-]?%d*$") and tonumber(text)
end

local function seconds(text)
   local count, unit = text:match("^([%d.]+)%s?(%l*)$")
   local size = count and SECONDS[SPELT[unit] or (unit == "" and "s") or unit]
   local value = count and number(count)
   return size and value and value * size
end

local function is_clock(text)
   local hour, minute = text:match("^(%d%d?):(%d%d)$")
   return hour and tonumber(hour) < 24 and tonumber(minute) < 60
end

local function lasting(text)
   local value = seconds(text)
   return value and value > 0 and value <= LONGEST
end

local function wrong_keys(text)
   local given = {}
   for part in (text .. ","):gmatch("([^,]*),") do
      local key, value = part:match("^([^=]*)=(.*)$")
      key, value = trimmed(key or ""), trimmed(value or "")
      if not KEYS[key] or value == "" or given[key] then
         return "each of deadline=, value= and checkpoint= stands once at most"
      end
      given[key] = value
   end
   if (given.deadline == nil) ~= (given.value == nil) then
      return "deadline and value stand together"
   end
   if given.checkpoint and not lasting(given.checkpoint) then
      return "checkpoint is a time, as in 10min"
   end
   if given.deadline and not (is_clock(given.deadline) or lasting(given.deadline)) then
      return "deadline is 18:00 or a time from submission, as in 4h"
   end
   local worth = given.value and number(given.value)
   if given.value and not (worth and worth <= HIGHEST) then
      return "value is a number of SU, at most 1e9"
   end
end

local function wrong_points(text)
   local time, worth, count = nil, HIGHEST, 0
   for part in (text .. ","):gmatch("([^,]*),") do
      local left, right = part:match("^([^:]*):([^:]*)$")
      local at, value = seconds(trimmed(left or "")), number(trimmed(right or ""))
      if not (at and value) then
         return "a point is TIME:SU, as in 0:40,1h:40,2h:0"
      end
      if (count == 0 and at ~= 0) or (time and at <= time) or at > LONGEST or value > worth then
         return "points begin at time 0, times rise, values never do, at most 1e9 SU and a year"
      end
      time, worth, count = at, value, count + 1
   end
   return count < 2 and "a curve has two points or more" or nil
end

local function wrong_with(comment)
   local text = comment or ""
   local keyed, pointed = false, text:match("^%s*%d[%d.]*%s?%l*:")
   for part in text:gmatch("[^,]+") do
      keyed = keyed or KEYS[part:match("^%s*(%l+)%s*=")]
   end
   if text:match("^%s*{") or not (keyed or pointed) then
      return nil
   elseif #text > MOST then
      return "longer than 1024 letters"
   end
   return keyed and wrong_keys(text) or (pointed and wrong_points(text)) or nil
end

local function refused(problem)
   slurm.log_user("%s", problem)
   return slurm.ERROR
end

local function set(job, field)
   return job[field] ~= nil and job[field] ~= (NARROW[field] and slurm.NO_VAL16 or slurm.NO_VAL)
end

local function is_operator(user)
   for _, each in ipairs(utilitysched.operators) do
      if each == user then
         return true
      end
   end
   return false
end

-- Returns the seconds since the last sign of life of a market, nil if there is none.
local function silence(market)
   local file = io.open(market.heartbeat)
   local beat = file and tonumber((file:read("*l")))
   if file then
      file:close()
   end
   return beat and math.max(0, os.time() - beat)
end

-- Returns the names of the markets in command of a job's partitions; no partition is the default.
local function in_command(partition, partitions)
   for _, each in pairs(partition and {} or partitions) do
      partition = each.flag_default ~= 0 and each.name or partition
   end
   local names = {}
   for _, each in ipairs(utilitysched.markets) do
      local own = "," .. (each.partition or "") .. ","
      local mine = not each.partition or ("," .. (partition or "") .. ","):find(own, 1, true)
      if mine and (silence(each) or BEAT) < BEAT then
         names[#names + 1] = each.partition or "all"
      end
   end
   return names
end

local probed -- what a change of a job that the script is asked about came to

-- Says what is in force, as JSON; the script is asked to change a job that does not exist.
local function answer()
   probed = false
   pcall(slurm_job_modify, { comment = PROBE }, {}, {}, NOBODY)
   local markets = {}
   for _, each in ipairs(utilitysched.markets) do
      local known = ('"partition":%q,"heartbeat":%q'):format(each.partition or "", each.heartbeat)
      markets[#markets + 1] = ("{%s,\"silence\":%d}"):format(known, silence(each) or -1)
   end
   local text = '{"utilitysched":%q,"modify":%s,"operators":[%s],"markets":[%s]}'
   local operators = table.concat(utilitysched.operators, ",")
   local told = text:format(RELEASE, tostring(probed), operators, table.concat(markets, ","))
   probed = nil
   return told
end

function utilitysched_submit(job, partitions, user)
   if job.comment == PROBE then
      return refused(answer())
   end
   local problem = wrong_with(job.comment)
   if problem then
      return refused("comment: " .. problem)
   end
   local markets = in_command(job.partition, partitions)
   if #markets > 1 then
      return refused("partition: name one; a market each have " .. table.concat(markets, ", "))
   end
   if not is_operator(user) then
      job.admin_comment = "" -- what stands there, the market takes for its own word
   end
   if job.priority ~= 0 and #markets == 1 then
      job.priority, job.admin_comment = 0, NEW
   end
   return slurm.SUCCESS
end

-- Returns what a user may not change of a job that waits for the market or was admitted.
local function changed(job, admitted, amends)
   for _, field in ipairs(admitted and FINAL or {}) do
      if set(job, field) and not (amends and field == "comment") then
         return field
      end
   end
   if set(job, "nice") then
      return "nice"
   end
   for _, each in ipairs(utilitysched.markets) do
      if each.partition and job.partition then
         return "partition"
      end
   end
end

function utilitysched_modify(job, record, partitions, user)
   if probed ~= nil then
      probed = true
      return slurm.ERROR
   end
   local said, amended = record.admin_comment or "", (job.comment or ""):match("^amend (.*)")
   local admitted = said:sub(1, 1) == "{"
   local problem = wrong_with(admitted and amended or job.comment)
   if problem then
      return refused("comment: " .. problem)
   end
   local ours = #in_command(record.partition, partitions) > 0
      or (job.partition and #in_command(job.partition, partitions) > 0)
   if is_operator(user) or not ours then
      return slurm.SUCCESS
   end
   local released = job.priority == slurm.INFINITE
   if (released or job.priority == 0) and (admitted or said == NEW) then
      slurm.log_user("the market holds and starts this job; StartTime= makes it wait")
      return HELD
   elseif released then
      job.begin_time = os.time() + BEAT
   end
   local field = changed(job, admitted, amended)
   if field then
      local remedy = field == "comment" and "; use utilitysched slurm amend" or ""
      slurm.log_user("%s: not to be changed while the market has the job%s", field, remedy)
      return slurm.ESLURM_ACCESS_DENIED
   end
   return slurm.SUCCESS
end
